const PERMANENT = 500;

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/**
 * Whether the server refused this mail or its recipient, and will again tomorrow. A refused login (EAUTH) also answers
 * 5xx but says nothing about the mail: it is put right by an administrator, and the mail goes out then.
 */
export const isRefusal = (error: unknown): error is SmtpError =>
  error instanceof Error &&
  ['EENVELOPE', 'EMESSAGE'].includes((error as SmtpError).code ?? '') &&
  ((error as SmtpError).responseCode ?? 0) >= PERMANENT;
