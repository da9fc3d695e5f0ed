/** `tokens.json`: by what the tokens of people are known again. Pure. */
import { hashToken } from '@capstan/apiserver';

export interface KnownHashes {
  /** Of the token in the kubeconfig. */
  readonly current: string | undefined;
  readonly earlier: readonly string[];
}

/** @param where the file is, for the message when it cannot be read */
export function parseTokens(where: string, text: string | undefined): (id: string) => KnownHashes {
  const fields = text === undefined ? {} : objectIn(text);
  if (!fields) {
    throw new Error(
      `tokens.json in ${where} is damaged. Delete it: new tokens are made, and kubeconfigs given out before stop working.`,
    );
  }
  const earlier = fields['earlier'] as Record<string, unknown> | undefined;
  return id => {
    const current = fields[id];
    const before = earlier?.[id];
    return {
      current: typeof current === 'string' ? current : undefined,
      earlier: Array.isArray(before) ? before.filter(one => typeof one === 'string') : [],
    };
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

interface Holder {
  readonly id: string;
  readonly token: string;
  readonly earlier: readonly string[];
}

export function tokensText(people: readonly Holder[]): string {
  const current = Object.fromEntries(people.map(({ id, token }) => [id, hashToken(token)]));
  const before = people.filter(({ earlier }) => earlier.length > 0).map(({ id, earlier }) => [id, earlier]);
  const all = { ...current, ...(before.length > 0 && { earlier: Object.fromEntries(before) }) };
  return `${JSON.stringify(all)}\n`;
}
