import { markdownFault } from './markdown.js';

const PROGRAMME = `## Programme

We meet **upstairs**, see [the map](https://maps.example/a_b_c?x=1&y=2).

1. Doors
2. Talks
   - _Search_, with Ada
   - \`Ads\`, with Grace
3. Drinks

> Bring a laptop.

| When | What |
|------|------|
| 6 pm | Doors |
`;

const deep = (levels: number, mark: string) =>
  Array.from({ length: levels }, (_, level) => `${' '.repeat(2 * level)}${mark}point`).join('\n');

describe('markdownFault', () => {
  it.each([
    ['a programme', PROGRAMME],
    ['an empty text', ''],
    ['10,000 letters', 'a'.repeat(10_000)],
    ['10,000 letters of a script without spaces', '集'.repeat(10_000)],
    ['a list of 200 links', '- [Slides](https://slides.example/1)\n'.repeat(200)],
    ['500 list items', '- twenty letters\n'.repeat(500)],
    ['legal prose', `${'The operator (see below): "we", & others! '.repeat(25)}\n\n`.repeat(19)],
    [
      'a long numbered list',
      Array.from({ length: 400 }, (_, n) => `${n + 1}. **One** more, of many`).join('\n'),
    ],
    [
      'twenty paragraphs with much emphasis',
      `${'**Ada** and *Grace* on `search`. '.repeat(8)}\n\n`.repeat(20),
    ],
    ['eight nested lists', deep(8, '- ')],
    ['eight nested quotations', `${'> '.repeat(8)}word`],
    ['deeply indented code', `    ${' '.repeat(60)}- code`.replace('- ', '')],
  ])('accepts Markdown with %s', (_, text) => {
    expect(markdownFault(text)).toBeNull();
  });

  it.each([
    ['nine nested lists', deep(9, '- '), 'deep'],
    ['nine nested numbered lists', deep(9, '1. '), 'deep'],
    ['nine list markers on one line', `${'- '.repeat(9)}word`, 'deep'],
    ['nine nested quotations', `${'>'.repeat(9)}word`, 'deep'],
    ['a list indented with tabs', `\t\t\t\t- word`, 'deep'],
    ['625 lines in 10,000 characters', 'sixteen letters\n'.repeat(625), 'lines'],
    ['625 lines separated by carriage returns', 'sixteen letters\r'.repeat(625), 'lines'],
    ['a paragraph of formatting characters', '*a '.repeat(3_000), 'formatting characters'],
    [
      'formatting characters after numbers within a paragraph',
      `a\n${'2. *a **b `c [d '.repeat(400)}`,
      'formatting',
    ],
    ['1,000 dots', '.'.repeat(1_000), 'in a row'],
    ['1,000 spaces', ' '.repeat(1_000), 'in a row'],
  ])('rejects Markdown with %s', (_, text, fault) => {
    expect(markdownFault(text)).toContain(fault);
  });

  it.each(['- ', '> ', '*a ', '[', ' ', '\t', '1. ', '>1. ', '.', 'a\n', '\n', '- a\n', 'www.'])(
    'checks repeated %j in at most 400 times the time of ordinary text',
    (part) => {
      const cost = (text: string) => {
        const costs = Array.from({ length: 10 }, () => {
          const before = process.cpuUsage();
          markdownFault(text);
          return process.cpuUsage(before).user;
        });
        return Math.min(...costs);
      };
      const ordinary = 'Talks about search, tea, and time for questions. '.repeat(400);
      // Microseconds. At least 100, because checking ordinary text can be too fast to measure.
      expect(cost(part.repeat(20_000 / part.length))).toBeLessThan(400 * Math.max(100, cost(ordinary)));
    },
  );
});
