import { describe, expect, test } from 'vitest';
import { parseGoLists, parseGoTags, parseProto } from './proto-file.ts';

describe('generated.proto', () => {
  const file = parseProto(`package k8s.io.apiextensions_apiserver.pkg.v1;
// A thing.
message Thing {
  // Standard object's metadata.
  optional .k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;

  repeated Part parts = 2;
  map<string, bytes> data = 13;
}

message Part {
}
`);

  test('names its package and messages as OpenAPI does', () => {
    expect(file.package).toBe('io.k8s.apiextensions-apiserver.pkg.v1');
    expect([...file.messages.keys()]).toEqual(['Thing', 'Part']);
  });

  test('says what is on the wire', () => {
    expect(file.messages.get('Thing')).toEqual([
      { number: 1, name: 'metadata', type: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', shape: 'one' },
      { number: 2, name: 'parts', type: 'io.k8s.apiextensions-apiserver.pkg.v1.Part', shape: 'list' },
      { number: 13, name: 'data', type: 'bytes', shape: 'map' },
    ]);
  });
});

describe('Go declarations', () => {
  const source = `
type Extra []string

type Thing struct {
	metav1.TypeMeta \`json:",inline"\`
	Source \`json:",inline" protobuf:"bytes,2,opt,name=source"\`
	// Ref is elsewhere.
	Ref *string \`json:"$ref,omitempty" protobuf:"bytes,3,opt,name=ref"\`
}
`;

  test('give the names that JSON has, by number', () => {
    const field = { pointer: false, omitEmpty: false, omitZero: false };
    expect([...parseGoTags(source).get('Thing')!]).toEqual([
      [2, { ...field, name: '', inline: true }],
      [3, { ...field, name: '$ref', inline: false, pointer: true, omitEmpty: true }],
    ]);
  });

  test('tell the lists that are messages on the wire', () => {
    expect([...parseGoLists(source)]).toEqual(['Extra']);
  });
});
