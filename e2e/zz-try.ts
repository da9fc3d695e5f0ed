import { compare, describeDifference } from '/work/main/e2e/differential/compare.ts';
import { readFixture } from '/work/main/e2e/differential/fixture.ts';
import { normalise } from '/work/main/e2e/differential/normalise.ts';
import { runScript } from '/work/main/e2e/differential/run.ts';
import { scripts } from '/work/main/e2e/differential/scripts/index.ts';
import { connect } from '/work/main/e2e/differential/target.ts';
import { ADMIN, createApiServer, listen } from '/work/main/packages/apiserver/src/index.ts';

const wanted = process.argv.slice(2);
let total = 0,
  steps = 0,
  bad = new Set<string>();
for (const script of scripts.filter(s => wanted.length === 0 || wanted.includes(s.name))) {
  const server = await createApiServer({ onError: e => console.error('SERVER ERROR', e) });
  server.backend.store.compact(99);
  const l = await listen(server, { authenticate: () => ({ ...ADMIN }) });
  const target = connect({ url: l.url, caData: '', token: 'x' });
  try {
    const ours = normalise(await runScript(script, target));
    const real = readFixture(script).answers;
    const d = compare(real, ours);
    const failedSteps = new Set(d.map(x => x.step));
    steps += real.length;
    total += d.length;
    for (const f of failedSteps) bad.add(script.name + ': ' + f);
    console.log(
      `##### ${script.name}: ${real.length} steps, ${failedSteps.size} steps differ, ${d.length} differences`,
    );
    if (wanted.length)
      for (const step of failedSteps) {
        const all = d.filter(x => x.step === step);
        const key = all.find(x => x.pointer === '/body/message') ?? all.find(x => x.pointer === '/status') ?? all[0]!;
        console.log(
          describeDifference(key) +
            (all.length > 1
              ? `   (+${all.length - 1}: ${all
                  .filter(x => x !== key)
                  .slice(0, 4)
                  .map(x => x.pointer)
                  .join(' ')})`
              : ''),
        );
      }
  } catch (e) {
    console.log(`##### ${script.name} ERROR`, e);
  }
  await target.close();
  await l.close();
  await server.close();
}
console.log(`${steps} steps, ${bad.size} differ`);
