/** Levels worth a line at the terminal, by pino's numbers and names. */
const SHOWN: Record<string, string> = {
  40: 'warning',
  warn: 'warning',
  50: 'error',
  error: 'error',
  60: 'error',
  fatal: 'error',
};

/**
 * A log line as a person at the terminal wants it: warnings and errors in one short line, null for the rest (it is in the log
 * file). What is no JSON was meant for people and is passed on.
 */
export function readableLine(line: string): string | null {
  if (line.trim() === '') return null;
  const entry = parse(line);
  if (!entry) return line;
  const severity = SHOWN[String(entry.level)];
  if (!severity) return null;
  const reason = entry.err?.message && entry.err.message !== entry.msg ? `: ${entry.err.message}` : '';
  return `${severity}: ${entry.msg ?? ''}${reason}`;
}

interface LogEntry {
  level?: unknown;
  msg?: string;
  err?: { message?: string };
}

function parse(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    // Not JSON after all, such as a stack trace that begins with a brace.
    return null;
  }
}
