import { readableLine } from './readable-log.js';

describe('readableLine', () => {
  it('shortens warnings and errors with numeric or named levels', () => {
    expect(readableLine('{"level":40,"msg":"Redis is slow"}')).toBe('warning: Redis is slow');
    expect(readableLine('{"level":"error","msg":"It failed","err":{"message":"no route"}}')).toBe(
      'error: It failed: no route',
    );
  });

  it('omits informational and blank lines', () => {
    expect(readableLine('{"level":30,"msg":"started"}')).toBeNull();
    expect(readableLine('{"level":"info","msg":"started"}')).toBeNull();
    expect(readableLine('  ')).toBeNull();
  });

  it('returns a line that is not JSON unchanged', () => {
    expect(readableLine('PORT must be a number')).toBe('PORT must be a number');
    expect(readableLine('{ not: json')).toBe('{ not: json');
  });
});
