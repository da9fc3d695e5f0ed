import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatesThatAreOff, goFieldsOf } from './go-types.ts';

const TYPES = `package v1

type Common struct {
	// Name of it.
	Name string \`json:"name"\`
}

type Thing struct {
	metav1.TypeMeta \`json:",inline"\`
	Common          \`json:",inline"\`
	// How many.
	Count *int32 \`json:"count,omitempty" protobuf:"varint,1"\`
	Parts []Part \`json:"parts,omitempty"\`
	Limits map[string]resource.Quantity \`json:"limits,omitempty"\`
	Since metav1.Time \`json:"since,omitempty,omitzero"\`
	// Not yet.
	// +featureGate=Someday
	// +optional
	Later bool \`json:"later,omitempty"\`
	hidden string \`json:"-"\`
}
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'go-types-'));
  mkdirSync(path.join(folder, 'example', 'v1'), { recursive: true });
  writeFileSync(path.join(folder, 'example', 'v1', 'types.go'), TYPES);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('fields carry their marks and their type as Go prints it, those of embedded structs included', () => {
  const fields = goFieldsOf(
    ['io.k8s.api.example.v1.Thing'],
    () => folder,
    gate => gate === 'Someday',
  );
  expect(fields.get('io.k8s.api.example.v1.Thing')).toEqual({
    name: 'string',
    count: '*?int32',
    parts: '?[]v1.Part',
    limits: '?map[string]resource.Quantity',
    since: '?!v1.Time',
    later: '-?bool',
  });
});

test('a gate is off when its newest default is', () => {
  const source = `
	On  featuregate.Feature = "On"
	Off featuregate.Feature = "Off"
var defaults = {
	On: {
		{Version: version.MustParse("1.30"), Default: false, PreRelease: featuregate.Alpha},
		{Version: version.MustParse("1.37"), Default: true, PreRelease: featuregate.Beta},
	},
	Off: {
		{Version: version.MustParse("1.37"), Default: false, PreRelease: featuregate.Alpha},
	},
}`;
  expect(gatesThatAreOff(source)).toEqual(new Set(['Off']));
});
