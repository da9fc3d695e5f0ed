/** Texts that have a format and texts that do not. `formats.real.test.ts` asks a real API server about each. */
export const FORMAT_CASES: Readonly<
  Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>
> = {
  bsonobjectid: { valid: ['507f1f77bcf86cd799439011'], invalid: ['507f1f77', 'zzzf1f77bcf86cd799439011'] },
  uri: {
    valid: [
      'http://example.com',
      '/absolute/path',
      'mailto:someone@example.com',
      'https://user:pass@host:80/p?q#f',
      'x:y',
      '*',
      'http://[::1]:80/',
    ],
    invalid: [
      '',
      'example.com',
      './relative',
      'http://a b/',
      'http://%zz/',
      '//%zz',
      'http://host:port/',
      ':x',
      'http://[::1',
    ],
  },
  email: {
    valid: ['a@b', 'a.b@example.com', 'Some Body <a@b.c>', '"quoted name" <a@b>', "o'hara@example.com"],
    invalid: ['', 'a', 'a@', '@b', 'a@b@c', 'a b@c', '<a@b', 'a.@b', '.a@b'],
  },
  hostname: {
    valid: ['localhost', 'a.example.com', 'example.london', '1a', 'a-b.example.org', 'a-', 'a-bc'],
    invalid: ['', '-a', 'my-host', 'a-.example.org', 'a_b', 'a..b', 'example.c', 'a.1', 'a b'],
  },
  ipv4: { valid: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], invalid: ['', '1.2.3', '1.2.3.256', 'a.b.c.d', '::1'] },
  ipv6: { valid: ['::1', '2001:db8::1', '::ffff:1.2.3.4'], invalid: ['', '1.2.3.4', '2001:db8::1%eth0', ':::'] },
  cidr: {
    valid: ['10.0.0.0/8', '2001:db8::/32', '10.0.0.1/32'],
    invalid: ['', '10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/'],
  },
  mac: {
    valid: ['01:23:45:67:89:ab', '01-23-45-67-89-AB', '0123.4567.89ab', '01:23:45:67:89:ab:cd:ef', '0123456789ab'],
    invalid: ['', '01:23:45:67:89', '01:23:45:67:89:xx', '0123456789abc'],
  },
  uuid: {
    valid: ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'F81D4FAE7DEC11D0A76500A0C91E6BF6'],
    invalid: ['', 'f81d4fae', 'g81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  },
  uuid3: { valid: ['bcd02e22-68f0-3046-a512-327cca9def8f'], invalid: ['bcd02e22-68f0-4046-a512-327cca9def8f'] },
  uuid4: {
    valid: ['025b0d74-00a2-4048-bf57-227c5111bb34'],
    invalid: ['025b0d74-00a2-3048-bf57-227c5111bb34', '025b0d74-00a2-4048-cf57-227c5111bb34'],
  },
  uuid5: { valid: ['0c3b1d2e-5b0a-5f5e-8d3e-6d2f1c0b9a8e'], invalid: ['0c3b1d2e-5b0a-4f5e-8d3e-6d2f1c0b9a8e'] },
  isbn: { valid: ['0321751043', '978-0321751041', '3-401-01319-X'], invalid: ['', '0321751044', '978-0321751042'] },
  isbn10: { valid: ['0321751043'], invalid: ['978-0321751041', '03217510434'] },
  isbn13: { valid: ['978-0321751041', '978 3401013190'], invalid: ['0321751043'] },
  creditcard: {
    valid: ['4220855426222389', '4220-8554-2622-2389', '374953669708156'],
    invalid: ['', '4220855426213389', 'card'],
  },
  ssn: { valid: ['111-11-1111', '111 11 1111'], invalid: ['', '111111111', '111-11-111a'] },
  hexcolor: { valid: ['#fff', 'CCccCC', '#012345'], invalid: ['', '#ff', 'fff0', '#ff12FG'] },
  rgbcolor: {
    valid: ['rgb(0,31,255)', 'rgb(0,  31, 255)', 'rgb( 1 ,2,3 )'],
    invalid: ['', 'rgb(1,349,275)', 'rgb(01,31,255)', 'rgba(0,31,255)', 'rgb(1,2)'],
  },
  byte: { valid: ['aGVsbG8=', 'AAAA', 'aGk='], invalid: ['', 'a', '====', 'aGVsbG8', 'aGVs bG8='] },
  password: { valid: ['anything', ''], invalid: [] },
  date: { valid: ['2026-11-15', '2024-02-29'], invalid: ['', '2026-02-29', '2026-13-01', '2026-1-1', '15.11.2026'] },
  'date-time': {
    valid: ['2026-11-15T22:00:00Z', '2026-11-15T22:00:00.123+02:00', '2026-11-15t22:00:00z'],
    invalid: [
      '',
      '2026-11-15',
      '2026-11-15T24:00:00Z',
      '2026-11-15T22:00:00',
      '2026-11-15 22:00:00Z',
      '2026-02-30T00:00:00Z',
    ],
  },
  duration: {
    valid: ['1h30m', '22 ns', '3 weeks', '0', '-1.5h', '1d', '10 minutes and more'],
    invalid: ['', 'h', '10', '5 years', 'soon'],
  },
  'k8s-short-name': { valid: ['my-name', 'a', '1'], invalid: ['', 'My-name', '-a', 'a.b', 'a'.repeat(64)] },
  'k8s-long-name': {
    valid: ['my-name.example.com', 'a', `${'a'.repeat(100)}.b`],
    invalid: ['', 'A', 'a..b', '.a', 'a.'],
  },
};
