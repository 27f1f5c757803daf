const PERMANENT = 500;

interface SmtpError extends Error {
  code?: string;
  /** What the server answered. */
  command?: string;
  responseCode?: number;
}

/**
 * Whether the server refused this mail or its recipient, and will again tomorrow. A refused login (EAUTH) or sender also
 * answers 5xx but says nothing about the mail: it is put right by an administrator, and the mail goes out then.
 */
export function isRefusal(error: unknown): error is SmtpError {
  const { code = '', command, responseCode = 0 } = error as SmtpError;
  return ['EENVELOPE', 'EMESSAGE'].includes(code) && command !== 'MAIL FROM' && responseCode >= PERMANENT;
}
