import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config/load-config.js';
import { loadCommunity } from './community.js';

const shipped = new URL('../../../../config/community.json', import.meta.url).pathname;
const valid = JSON.parse(readFileSync(shipped, 'utf8')) as Record<string, unknown>;
const folder = mkdtempSync(join(tmpdir(), 'community-'));

function fileWith(content: string): string {
  const path = join(folder, 'community.json');
  writeFileSync(path, content);
  return path;
}

function problemsOf(content: string): string[] {
  try {
    loadCommunity(fileWith(content));
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const problemsWith = (change: Record<string, unknown>) => problemsOf(JSON.stringify({ ...valid, ...change }));

describe('the community configuration', () => {
  it('is valid as we ship it', () => {
    expect(loadCommunity(shipped)).toMatchObject({ name: expect.any(String), timeZone: 'Europe/London' });
  });

  it('takes any number of sponsors', () => {
    expect(problemsWith({ sponsors: [] })).toEqual([]);
  });

  it.each([
    ['a missing file', '/nowhere/community.json', /cannot be read/],
    ['text that is not JSON', fileWith('{'), /cannot be read/],
  ])('names %s', (_, path, reason) => {
    writeFileSync(join(folder, 'community.json'), '{');
    expect(() => loadCommunity(path)).toThrow(reason);
  });

  it.each(['null', '[]', '"text"'])('refuses %s', (content) => {
    expect(problemsOf(content)).toEqual([expect.stringContaining('must hold one JSON object')]);
  });

  it.each([
    [{ name: '' }, /: name /],
    [{ name: 'two\nlines' }, /: name must be one line/],
    [{ supportEmail: 'nobody' }, /: supportEmail must be an email/],
    [{ linkedInUrl: 'javascript:alert(1)' }, /: linkedInUrl must be a http or https address/],
    [{ currency: 'POUNDS' }, /: currency /],
    [{ timeZone: 'London' }, /: timeZone must be an IANA name/],
    [{ locale: 'not a locale' }, /: locale must be a language tag/],
    [{ copyrightYear: '2024' }, /: copyrightYear must /],
    [{ sponsors: 'none' }, /: sponsors /],
    [{ colour: 'red' }, /: colour should not exist/],
  ])('names the entry that is wrong: %j', (change, reason) => {
    expect(problemsWith(change).join('\n')).toMatch(reason);
  });

  it.each(['//evil.example/logo.svg', '/\\evil.example', 'javascript:alert(1)', 'logo.svg'])(
    'refuses %s as a logo and says which sponsor has it',
    (logoUrl) => {
      const sponsor = { name: 'A', logoUrl, url: 'https://a.example' };
      expect(problemsWith({ sponsors: [sponsor] })).toEqual([
        expect.stringContaining('sponsors.0.logoUrl must be a path that begins with /'),
      ]);
    },
  );

  it('names every entry that is missing', () => {
    expect(problemsOf('{}').length).toBeGreaterThanOrEqual(Object.keys(valid).length);
  });
});
