const SHOWN: Record<string, string> = {
  40: 'warning',
  warn: 'warning',
  50: 'error',
  error: 'error',
  60: 'error',
  fatal: 'error',
};

interface LogEntry {
  level?: unknown;
  msg?: string;
  err?: { message?: string };
}

/**
 * Shortens warnings and errors of a JSON log. Returns null for other entries. Returns other text unchanged.
 */
export function readableLine(line: string): string | null {
  if (line.trim() === '') return null;
  if (!line.startsWith('{')) return line;
  let entry: LogEntry;
  try {
    entry = JSON.parse(line) as LogEntry;
  } catch {
    return line;
  }
  const severity = SHOWN[String(entry.level)];
  if (!severity) return null;
  const reason = entry.err?.message && entry.err.message !== entry.msg ? `: ${entry.err.message}` : '';
  return `${severity}: ${entry.msg ?? ''}${reason}`;
}
