import { cellText, separatorFor } from '@meetmark/contracts/csv';
import Papa from 'papaparse';

/** Excel needs this mark to read CSV as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Returns CSV with the separator of the reader's language. Escapes cells that would run as formulas. */
export const toCsv = (rows: Record<string, string>[], locale: string): string =>
  BYTE_ORDER_MARK +
  Papa.unparse(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [name, cellText(text)]))),
    { delimiter: separatorFor(locale) },
  );

export function saveCsv(fileName: string, csv: string): void {
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

export function fileDate(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
