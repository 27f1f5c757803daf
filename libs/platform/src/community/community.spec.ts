import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProblems } from '../testing/find-problems.js';
import { loadCommunity } from './community.js';

const shipped = new URL('../../../../config/demo/community.json', import.meta.url).pathname;
const neutral = new URL('../../../../config/community.json', import.meta.url).pathname;
const valid = JSON.parse(readFileSync(shipped, 'utf8')) as Record<string, unknown>;
const folder = mkdtempSync(join(tmpdir(), 'community-'));

function fileWith(content: string): string {
  const path = join(folder, 'community.json');
  writeFileSync(path, content);
  return path;
}

const problemsIn = (content: string) => findProblems(() => loadCommunity(fileWith(content)));
const problemsWith = (change: Record<string, unknown>) => problemsIn(JSON.stringify({ ...valid, ...change }));

describe('the community configuration', () => {
  it('accepts the shipped configuration files', () => {
    expect(loadCommunity(shipped)).toMatchObject({ name: expect.any(String), timeZone: 'Europe/London' });
    const defaults = { currency: 'GBP', brandColour: null, secondColour: null, font: null };
    expect(loadCommunity(neutral)).toMatchObject({ name: 'Our community', ...defaults });
  });

  it('accepts from zero to 12 sponsors', () => {
    const sponsor = { name: 'A', logoUrl: 'https://a.example/a.svg', url: 'https://a.example' };
    expect(problemsWith({ sponsors: [] })).toEqual([]);
    expect(problemsWith({ sponsors: Array(12).fill(sponsor) })).toEqual([]);
    expect(problemsWith({ sponsors: Array(13).fill(sponsor) })).toHaveLength(1);
  });

  it('rejects a missing file, text that is not JSON, and JSON that is not an object', () => {
    expect(() => loadCommunity('/nowhere/community.json')).toThrow(/Cannot read/);
    expect(() => loadCommunity(fileWith('{'))).toThrow(/Cannot read/);
    for (const content of ['null', '[]', '"text"'])
      expect(problemsIn(content)).toEqual([expect.stringContaining('must contain a JSON object')]);
  });

  it.each([
    [{ name: '' }, /: name /],
    [{ name: 'two\nlines' }, /: name must be one line/],
    [{ supportEmail: 'nobody' }, /: supportEmail must be an email/],
    [{ linkedInUrl: 'javascript:alert(1)' }, /: linkedInUrl must be an http or https URL/],
    [{ currency: 'POUNDS' }, /: currency /],
    [{ timeZone: 'London' }, /: timeZone must be an IANA name/],
    [{ timeZone: '+05:00' }, /: timeZone must be an IANA name/],
    [{ locale: 'not a locale' }, /: locale must be a language tag/],
    [{ copyrightYear: '2024' }, /: copyrightYear must /],
    [{ sponsors: 'none' }, /: sponsors /],
    [{ colour: 'red' }, /: colour should not exist/],
    [{ brandColour: 'red' }, /: brandColour must be a colour such as/],
    [{ secondColour: '#abc' }, /: secondColour must be a colour such as/],
    [{ font: '../../x' }, /: font must be one of/],
    [{ font: 'constructor' }, /: font must be one of/],
    [{ heroPattern: 0 }, /: heroPattern must not be less than 1/],
    [{ heroPattern: 1.5 }, /: heroPattern must be an integer number/],
    [{ heroPattern: 9 }, /: heroPattern must not be greater than 8/],
    [{ answersDays: 29 }, /: answersDays must not be less than 30/],
    [{ unconfirmedAccountsDays: 6 }, /: unconfirmedAccountsDays must not be less than 7/],
    [{ checkInsDays: 3_651 }, /: checkInsDays must not be greater than 3650/],
    [{ auditNamesDays: 30.5 }, /: auditNamesDays must be an integer number/],
    [{ mapUrl: 'https://maps.example.org/' }, /: mapUrl must be an https URL of a public host with one \*/],
    [{ weekStart: 'friday' }, /: weekStart must be one of/],
    [{ languages: ['de', 'pt'] }, /: languages must be a list of en-US, /],
    [{ languages: ['de', 'de'] }, /: languages must be a list of en-US, /],
    [{ formOfAddress: 'rude' }, /: formOfAddress must be one of/],
    [{ terms: 'x'.repeat(20_001) }, /: terms must be shorter/],
    [{ locked: ['name', 'colour'] }, /: locked contains "colour", which is not a setting/],
    [{ locked: 'name' }, /: locked must be a list of names of settings/],
  ])('reports the invalid entry in %j', (change, reason) => {
    expect(problemsWith(change).join('\n')).toMatch(reason);
  });

  it.each(['/api/logout', '/sponsors/missing.svg', 'https://cdn,example.org/logo.png'])(
    'omits a logo or sponsor with the image %s instead of failing',
    (logoUrl) => {
      mkdirSync(join(folder, 'public/sponsors'), { recursive: true });
      writeFileSync(join(folder, 'public/sponsors/here.svg'), '<svg/>');
      const url = 'https://a.example';
      const here = { name: 'B', logoUrl: '/sponsors/here.svg', url };
      const sponsors = [{ name: 'A', logoUrl, url }, here];
      expect(loadCommunity(fileWith(JSON.stringify({ ...valid, logoUrl, sponsors })))).toMatchObject({
        logoUrl: null,
        sponsors: [here],
      });
    },
  );

  it('omits a legal page instead of failing if its Markdown is too complex', () => {
    const file = (change: object) => fileWith(JSON.stringify({ ...valid, ...change }));
    const tooDeep = `${'> '.repeat(20)}words`;
    const community = loadCommunity(file({ terms: tooDeep, privacy: 'Short' }));
    expect([community.terms, community.privacy]).toEqual([null, 'Short']);
    expect(problemsWith({ terms: 7 })).not.toEqual([]);
    expect(problemsWith({ terms: tooDeep, name: '' }).every((line) => / name /.test(line))).toBe(true);
  });

  it('reports every missing entry that has no default', () => {
    const missing = problemsIn('{}').map((line) => /: (\w+) /.exec(line)?.[1]);
    const without = ['headline', 'linkedInUrl', 'paymentNoteDefault', 'memberProposals', 'terms', 'privacy'];
    expect(new Set(missing)).toEqual(new Set(Object.keys(valid).filter((name) => !without.includes(name))));
  });
});
