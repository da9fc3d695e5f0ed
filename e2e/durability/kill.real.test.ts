/** The bar: a hundred kills. It takes minutes, so it runs with `npm run test:real`. */
process.env.CAPSTAN_KILLS = '100';
await import('./kill.test.ts');
