// capstan/demo-job: prints LINES lines, one every INTERVAL seconds, and ends with EXIT_CODE.
const lines = Number(process.env.LINES ?? 3);
const interval = Number(process.env.INTERVAL ?? 0.2) * 1000;
const code = Number(process.env.EXIT_CODE ?? 0);

for (let line = 1; line <= lines; line++) {
  console.log(`line ${line} of ${lines}`);
  await new Promise(resolve => setTimeout(resolve, interval));
}
process.exitCode = code;
