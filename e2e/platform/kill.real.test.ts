/** The bar: fifty kills. It takes minutes, so it runs with `npm run test:real`. */
process.env['CAPSTAN_KILLS'] = '50';
await import('./kill.test.ts');
