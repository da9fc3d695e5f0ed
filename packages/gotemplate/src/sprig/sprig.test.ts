import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { compareSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import type { System } from '../system.ts';
import { Template } from '../template.ts';
import { UTC } from '../time/zone.ts';
import { sprig } from './index.ts';

/** The functions of sprig 3.3 by its documentation. */
const names =
  `abbrev abbrevboth add add1 add1f addf adler32sum ago all any append atoi b32dec b32enc b64dec b64enc base bcrypt biggest
  buildCustomCert camelcase cat ceil chunk clean coalesce compact concat contains date dateInZone dateModify date_in_zone date_modify
  decryptAES deepCopy deepEqual default derivePassword dict dig dir div divf duration durationRound empty encryptAES env expandenv ext
  fail first float64 floor fromJson genCA genCAWithKey genPrivateKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert
  genSignedCertWithKey get getHostByName has hasKey hasPrefix hasSuffix hello htmlDate htmlDateInZone htpasswd indent initial initials
  int int64 isAbs join kebabcase keys kindIs kindOf last list lower max maxf merge mergeOverwrite min minf mod mul mulf mustAppend
  mustChunk mustCompact mustDateModify mustDeepCopy mustFirst mustFromJson mustHas mustInitial mustLast mustMerge mustMergeOverwrite
  mustPrepend mustRegexFind mustRegexFindAll mustRegexMatch mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit mustRest
  mustReverse mustSlice mustToDate mustToJson mustToPrettyJson mustToRawJson mustUniq mustWithout must_date_modify nindent nospace now
  omit osBase osClean osDir osExt osIsAbs pick pluck plural prepend quote randAlpha randAlphaNum randAscii randBytes randInt randNumeric
  regexFind regexFindAll regexMatch regexQuoteMeta regexReplaceAll regexReplaceAllLiteral regexSplit repeat replace rest reverse round
  semver semverCompare seq set sha1sum sha256sum sha512sum shuffle slice snakecase sortAlpha split splitList splitn squote sub subf
  substr swapcase ternary title toDate toDecimal toJson toPrettyJson toRawJson toString toStrings trim trimAll trimPrefix trimSuffix
  trimall trunc tuple typeIs typeIsLike typeOf uniq unixEpoch unset until untilStep untitle upper urlJoin urlParse uuidv4 values without
  wrap wrapWith`.split(/\s+/);

const noon = 1_700_000_000_000_000_000n;
const render = (text: string, system: Partial<System> = {}) =>
  new Template('test', { functions: sprig({ system: { zone: () => UTC, now: () => noon, ...system } }) })
    .parse(text)
    .execute(null);

describe('sprig', () => {
  it('is complete', () => {
    expect(names).toHaveLength(209);
    expect(names.filter(name => !Object.hasOwn(sprig(), name))).toEqual([]);
  });

  it('takes the time from its host', () => {
    expect(render('{{ now | date "2006-01-02 15:04:05" }} {{ now | unixEpoch }} {{ ago (int64 1699999000) }}')).toBe(
      '2023-11-14 22:13:20 1700000000 16m40s',
    );
    expect(render('{{ date "15:04" 5.0 }} {{ htmlDate "no date" }}')).toBe('22:13 2023-11-14');
  });

  it('takes randomness from its host', () => {
    let seed = 0;
    const random = (length: number) => Uint8Array.from({ length }, () => (seed = (seed * 5 + 3) % 256));
    const text =
      '{{ randAlphaNum 8 }} {{ randNumeric 4 }} {{ randInt 0 100 }} {{ uuidv4 }} {{ shuffle "abcdef" }} {{ randBytes 4 }}';
    const first = render(text, { random });
    seed = 0;
    expect(render(text, { random })).toBe(first);
    expect(render(text, { random })).not.toBe(first);
  });

  it('draws every character of an alphabet about equally often', () => {
    const counts = new Map<string, number>();
    for (const digit of render('{{ randNumeric 20000 }}')) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    expect([...counts.keys()].sort().join('')).toBe('0123456789');
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(400);
  });

  it('shows templates no environment and no DNS unless its host does', () => {
    expect(render('{{ env "PATH" }}|{{ expandenv "$HOME" }}')).toBe('|');
    expect(
      render('{{ env "A" }} {{ expandenv "<$A-\\u0024{A}>" }}', { environment: name => (name === 'A' ? 'b' : '') }),
    ).toBe('b <b-b>');
    expect(() => render('{{ getHostByName "example.org" }}')).toThrow(
      'error calling getHostByName: invalid argument to Intn',
    );
    expect(render('{{ getHostByName "x" }}', { resolve: () => '127.0.0.1' })).toBe('127.0.0.1');
  });

  it('hashes passwords that can be checked', () => {
    const [user, hash] = render('{{ htpasswd "ada" "secret" }}').split(':') as [string, string];
    expect(user).toBe('ada');
    expect(compareSync('secret', hash)).toBe(true);
    expect(compareSync('wrong', hash)).toBe(false);
  });

  it('gives every key type in the form Go gives it', () => {
    for (const type of ['ecdsa', 'ed25519']) createPrivateKey(render(`{{ genPrivateKey "${type}" }}`));
    // Parameters of full size take many seconds to find; the form is the same.
    const generateKey = () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey;
    const dsa = render('{{ genPrivateKey "dsa" }}', { generateKey });
    expect(dsa).toMatch(/^-----BEGIN DSA PRIVATE KEY-----\n/);
    expect(createPrivateKey(dsa).asymmetricKeyType).toBe('dsa');
  });
});

describe('certificates', () => {
  const parts = (text: string) => text.split('|').map(part => part.trim());

  it('of an authority sign themselves and others', () => {
    const [ca, cert, key] = parts(
      render(
        '{{ $ca := genCA "Test CA" 365 }}{{ $c := genSignedCert "web" (list "127.0.0.1" "2001:db8::1") (list "a.example" "b.example") 30 $ca }}' +
          '{{ $ca.Cert }}|{{ $c.Cert }}|{{ $c.Key }}',
      ),
    ) as [string, string, string];
    const authority = new X509Certificate(ca);
    const leaf = new X509Certificate(cert);
    expect(authority.ca).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(leaf.verify(authority.publicKey)).toBe(true);
    expect(leaf.checkIssued(authority)).toBe(true);
    expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect([authority.subject, leaf.subject, leaf.issuer]).toEqual(['CN=Test CA', 'CN=web', 'CN=Test CA']);
    expect(leaf.subjectAltName).toBe(
      'DNS:a.example, DNS:b.example, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1',
    );
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect([leaf.validFrom, leaf.validTo]).toEqual(['Nov 14 22:13:20 2023 GMT', 'Dec 14 22:13:20 2023 GMT']);
  });

  it('are made for keys of every kind that can sign', () => {
    for (const type of ['ecdsa', 'ed25519']) {
      const [cert, key] = parts(
        render(
          `{{ $k := genPrivateKey "${type}" }}{{ $c := genSelfSignedCertWithKey "x" nil nil 1 $k }}{{ $c.Cert }}|{{ $c.Key }}`,
        ),
      ) as [string, string];
      const certificate = new X509Certificate(cert);
      expect(certificate.verify(createPublicKey(createPrivateKey(key)))).toBe(true);
    }
  });

  it('after 2049 carry the longer form of the date', () => {
    const cert = new X509Certificate(render('{{ (genSelfSignedCert "x" nil nil 20000).Cert }}'));
    expect(cert.validTo).toBe('Aug 17 22:13:20 2078 GMT');
  });
});
