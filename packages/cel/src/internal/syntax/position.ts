/** The index of the first character from `at` on that is neither space nor comment (nor one of `also`). */
export function skipTrivia(text: string, at: number, also = ''): number {
  let index = at;
  while (index < text.length) {
    const character = text[index]!;
    if (character === '/' && text[index + 1] === '/') {
      const end = text.indexOf('\n', index);
      index = end < 0 ? text.length : end;
    } else if (character.trim() === '' || also.includes(character)) {
      index++;
    } else {
      break;
    }
  }
  return index;
}

/** The index of the parenthesis that opens the arguments of the call whose name starts at `at`. */
export function openParenthesis(text: string, at: number): number {
  let index = at;
  while (/\w/.test(text[index] ?? '')) index++;
  return skipTrivia(text, index);
}
