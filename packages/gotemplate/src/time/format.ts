import { MONTHS, type Piece, parseLayout, WEEKDAYS } from './layout.ts';
import { type Civil, civil, type Moment } from './moment.ts';

export const RFC3339_NANO = '2006-01-02T15:04:05.999999999Z07:00';

/** `Time.Format`. */
export function formatTime(moment: Moment, layout: string): string {
  const parts = civil(moment);
  return parseLayout(layout)
    .map(piece => formatPiece(piece, parts))
    .join('');
}

/** `Time.String`. */
export function timeText(moment: Moment): string {
  return formatTime(moment, '2006-01-02 15:04:05.999999999 -0700 MST');
}

const two = (value: number) => String(value).padStart(2, '0');
const padded = (value: number, width: number) => String(value).padStart(width, ' ');

function formatPiece({ kind, text }: Piece, parts: Civil): string {
  if (kind === 'text') return text;
  if (kind === 'fraction') return fraction(text, parts.nanosecond);
  if (/^[Z-]07/.test(text)) return offsetText(text, parts.offset);
  const hour12 = parts.hour % 12 || 12;
  switch (text) {
    case '2006':
      return parts.year < 0 ? `-${String(-parts.year).padStart(4, '0')}` : String(parts.year).padStart(4, '0');
    case '06':
      return two(((parts.year % 100) + 100) % 100);
    case 'January':
      return MONTHS[parts.month - 1]!;
    case 'Jan':
      return MONTHS[parts.month - 1]!.slice(0, 3);
    case '1':
      return String(parts.month);
    case '01':
      return two(parts.month);
    case 'Monday':
      return WEEKDAYS[parts.weekday]!;
    case 'Mon':
      return WEEKDAYS[parts.weekday]!.slice(0, 3);
    case '2':
      return String(parts.day);
    case '_2':
      return padded(parts.day, 2);
    case '02':
      return two(parts.day);
    case '__2':
      return padded(parts.yearDay, 3);
    case '002':
      return String(parts.yearDay).padStart(3, '0');
    case '15':
      return two(parts.hour);
    case '3':
      return String(hour12);
    case '03':
      return two(hour12);
    case '4':
      return String(parts.minute);
    case '04':
      return two(parts.minute);
    case '5':
      return String(parts.second);
    case '05':
      return two(parts.second);
    case 'PM':
      return parts.hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return parts.hour >= 12 ? 'pm' : 'am';
    case 'MST':
      return parts.abbreviation || offsetText('-0700', parts.offset);
    default:
      return text;
  }
}

/** `.000` keeps zeros, `.999` drops them and then itself. */
function fraction(text: string, nanosecond: number): string {
  const digits = String(nanosecond)
    .padStart(9, '0')
    .slice(0, text.length - 1)
    .padEnd(text.length - 1, '0');
  if (text[1] === '0') return text[0] + digits;
  const trimmed = digits.replace(/0+$/, '');
  return trimmed && text[0] + trimmed;
}

function offsetText(style: string, offset: number): string {
  if (style[0] === 'Z' && offset === 0) return 'Z';
  const magnitude = Math.abs(offset);
  const separator = style.includes(':') ? ':' : '';
  let out = (offset < 0 ? '-' : '+') + two(Math.floor(magnitude / 3600));
  if (style.length > 3) out += separator + two(Math.floor(magnitude / 60) % 60);
  if (style.length > 6) out += separator + two(magnitude % 60);
  return out;
}
