import { hostname } from 'node:os';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentCall } from '../rpc/call.js';
import { redact, redactText } from './redaction.js';

export interface LoggerOptions {
  /** The process: 'auth', 'gateway', … */
  name: string;
  level: string;
}

/** JSON lines on stdout: time, level, process, request id (where there is a request), message. */
export function createLogger(
  { name, level }: LoggerOptions,
  destination: DestinationStream = pino.destination({ fd: 1, sync: true }),
): PinoLogger {
  return pino(
    {
      level,
      base: { service: name, host: hostname(), pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      // pino's own error serializer would run after the redaction and expects a real error
      serializers: { err: (error: unknown) => error },
      mixin: () => requestFields(),
      hooks: {
        logMethod(values, method) {
          method.apply(
            this,
            values.map((value: unknown) =>
              typeof value === 'string' ? redactText(value) : value,
            ) as Parameters<typeof method>,
          );
        },
      },
    },
    destination,
  );
}

function requestFields(): object {
  const call = currentCall();
  return call === undefined ? {} : { requestId: call.requestId };
}
