/**
 * Numbers that a suite can hold.
 */
import type { Data } from './model';

/** Is the number that was read the one that is written? A double keeps every integer up to 2^53, and 15 digits of any other number. */
export function isExact(value: number, written: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value)) return Number.isSafeInteger(value);
  return written.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length <= 15;
}

/** Would each number stay as it is when it is written, and read again? */
export function hasExactNumbers(data: Data): boolean {
  if (typeof data === 'number') return isExact(data, String(data));
  return typeof data !== 'object' || data === null || Object.values(data).every(hasExactNumbers);
}
