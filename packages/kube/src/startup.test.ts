import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('is imported without any library: they are loaded when they are needed', () => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve(name, context, next) { const found = next(name, context); loaded.push(found.url); return found; } });
    await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
    console.log(JSON.stringify({ libraries: loaded.filter(url => url.includes('node_modules')), count: loaded.length }));
  `;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  const { libraries, count } = JSON.parse(said) as { libraries: string[]; count: number };
  expect(libraries).toEqual([]);
  expect(count).toBeGreaterThan(20);
});
