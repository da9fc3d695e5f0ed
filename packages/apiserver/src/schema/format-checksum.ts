/** Formats whose digits carry a check: ISBN and credit card numbers. */

const digitsOf = (text: string): string => text.replace(/[\s-]/g, '');

export function isIsbn10(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^([0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (i + 1) * Number(digits[i]);
  sum += 10 * (digits[9] === 'X' ? 10 : Number(digits[9]));
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const ISSUERS =
  /^(4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|6(011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800|35\d{3})\d{11})$/;

/** The known issuers' shapes and the Luhn sum. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '');
  if (!ISSUERS.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
