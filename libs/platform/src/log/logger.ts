import { hostname } from 'node:os';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { LoggerService } from '@nestjs/common';
import { currentCall } from '../call/call.js';
import { redact, redactText } from './redaction.js';

interface LoggerOptions {
  name: string;
  level: string;
}

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
      // Replaces pino's error serializer, which would run after the redaction and expect a real Error.
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

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

export class NestLogger implements LoggerService {
  constructor(readonly pino: PinoLogger) {}

  log = (message: unknown, ...rest: unknown[]) => this.write('info', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.write('trace', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.write('fatal', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.write('error', message, rest);

  // Nest passes the context as the last argument, after a stack or an error.
  private write(level: Level, message: unknown, rest: unknown[]): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const extra = (context === undefined ? rest : rest.slice(0, -1)).find((value) => value !== undefined);
    const err = [message, extra].find((value) => value instanceof Error);
    const stack = err === undefined && typeof extra === 'string' ? extra : undefined;
    const fields = message !== null && typeof message === 'object' && message !== err ? message : {};
    const text = typeof message === 'string' ? message : err?.message;
    this.pino[level]({ context, err, stack, ...fields }, text);
  }
}
