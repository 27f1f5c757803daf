import { cellText } from '@meetmark/contracts/csv';
import Papa from 'papaparse';

/** Excel reads a CSV file as UTF-8 only behind this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** RFC 4180 text of the rows; the keys of the first are the header. No cell runs as a formula. */
export const toCsv = (rows: Record<string, string>[]): string =>
  BYTE_ORDER_MARK +
  Papa.unparse(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [name, cellText(text)]))),
  );

/** Hands the text to the browser's downloads. */
export function saveCsv(fileName: string, csv: string): void {
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

/** '2026-11-21' by the viewer's clock: the `{date}` of a file name. */
export function fileDate(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
