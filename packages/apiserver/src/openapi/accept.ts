/** Which of the forms of a document a client asks for. */

/** The first wish that can be met; wishes of equal weight are taken in the order of the client. */
export function acceptedForm<Form extends string>(
  accept: string | undefined,
  forms: readonly Form[],
): Form | undefined {
  if (accept === undefined || accept.trim() === '') return forms[0];
  const wishes = accept.split(',').map(parseWish);
  wishes.sort((a, b) => b.quality - a.quality);
  for (const { type, quality } of wishes) {
    const form = quality > 0 ? forms.find(one => matches(type, one)) : undefined;
    if (form !== undefined) return form;
  }
  return undefined;
}

function parseWish(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase());
  const quality = Number(parameters.find(one => one.startsWith('q='))?.slice(2) ?? 1);
  return { type, quality: Number.isNaN(quality) ? 0 : quality };
}

/** Go's media types may not hold an `@`, so the names of these forms are also written with a dot. */
function matches(wish: string, form: string): boolean {
  if (wish === '*/*' || wish === 'application/*') return true;
  return wish === form || wish === form.replace('@', '.');
}
