import type { Message, ServiceName } from '@meetmark/contracts';

/** A process refuses to start when a message of its service has no handler, or a handler belongs to another service. */
export function checkHandlers(service: ServiceName, messages: Message[], patterns: Iterable<string>): void {
  const handled = new Set(patterns);
  const expected = new Set(messages.map((message) => message.name));
  const problems = [
    ...[...expected].filter((name) => !handled.has(name)).map((name) => `${name} has no handler`),
    ...[...handled]
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is handled here but is no message of ${service}`),
  ];
  if (problems.length > 0) throw new Error(`service ${service} cannot start: ${problems.join('; ')}`);
}
