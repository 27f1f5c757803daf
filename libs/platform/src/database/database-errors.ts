import { DomainError, type ErrorCode } from '@meetmark/contracts';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

interface DatabaseError {
  code?: string;
  constraint?: string;
  driverError?: DatabaseError;
  message?: string;
}

const BY_STATE: Record<string, ErrorCode> = {
  '22P02': 'MALFORMED_ID', // not a uuid, number or enum value
  '22021': 'MALFORMED_TEXT', // a NUL character
  '22P05': 'MALFORMED_TEXT',
  '22003': 'OUT_OF_RANGE',
  '22008': 'OUT_OF_RANGE', // a date beyond the calendar
  '22001': 'OUT_OF_RANGE', // text longer than its column
  '57014': 'SERVICE_OVERLOADED', // statement_timeout
  '55P03': 'SERVICE_OVERLOADED', // lock_timeout
  '40001': 'SERVICE_OVERLOADED', // serialization failure
  '40P01': 'SERVICE_OVERLOADED', // deadlock
  '25P03': 'SERVICE_OVERLOADED', // idle_in_transaction_session_timeout
  '53300': 'SERVICE_UNAVAILABLE', // too many connections
  '25006': 'SERVICE_UNAVAILABLE', // read-only: a standby, or a full disk
};
/**
 * SQLSTATE classes: lost connection, insufficient resources, operator intervention (shutdown), system error.
 */
const UNAVAILABLE_CLASSES = ['08', '53', '57', '58'];
const UNAVAILABLE_CODES = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
];
/** pg errors that have no code. */
const UNAVAILABLE_MESSAGES = [
  /^timeout exceeded when trying to connect/,
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Query read timeout/,
  /^Client was closed and is not queryable/,
  /^Driver not Connected/i,
];

export function getSqlState(error: unknown): string {
  const { code = '' } = reported(error instanceof DomainError ? error.cause : error);
  return code;
}

const reported = (error: unknown): DatabaseError =>
  (error as DatabaseError | null)?.driverError ?? (error as DatabaseError | null) ?? {};

/**
 * Returns programming errors unchanged.
 * @param constraints error codes by constraint: `{ users_email_key: 'EMAIL_EXISTS' }`
 */
export function mapDatabaseError(error: unknown, constraints: Record<string, ErrorCode> = {}): unknown {
  if (error instanceof DomainError || error === null || typeof error !== 'object') return error;
  const { code = '', constraint, message = '' } = reported(error);
  const named = constraint === undefined ? undefined : constraints[constraint];
  const known = named ?? BY_STATE[code];
  if (known !== undefined) return new DomainError(known, undefined, { cause: error });
  return isUnavailable(code, message) || lostItsConnection(error)
    ? new DomainError('SERVICE_UNAVAILABLE', undefined, { cause: error })
    : error;
}

function isUnavailable(code: string, message: string): boolean {
  if (UNAVAILABLE_CODES.includes(code)) return true;
  if (/^[0-9A-Z]{5}$/.test(code)) return UNAVAILABLE_CLASSES.includes(code.slice(0, 2));
  return UNAVAILABLE_MESSAGES.some((pattern) => pattern.test(message));
}

/** TypeORM throws these errors if the connection was lost between two statements of a transaction. */
const lostItsConnection = (error: object) =>
  error instanceof QueryRunnerAlreadyReleasedError ||
  error instanceof QueryRunnerProviderAlreadyReleasedError;

export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const mapped = mapDatabaseError(error);
  return mapped instanceof DomainError ? mapped : new DomainError('INTERNAL', undefined, { cause: error });
}
