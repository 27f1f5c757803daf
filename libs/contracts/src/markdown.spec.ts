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

describe('a text as Markdown', () => {
  it.each([
    ['a programme', PROGRAMME],
    ['nothing', ''],
    ['10,000 letters', 'a'.repeat(10_000)],
    ['10,000 letters of a script without spaces', '集'.repeat(10_000)],
    ['a list of 200 links', '- [Slides](https://slides.example/1)\n'.repeat(200)],
    ['500 points', '- twenty letters\n'.repeat(500)],
    ['legal prose', `${'The operator (see below): "we", & others! '.repeat(25)}\n\n`.repeat(19)],
    [
      'a long list with numbers',
      Array.from({ length: 400 }, (_, n) => `${n + 1}. **One** more, of many`).join('\n'),
    ],
    [
      'twenty paragraphs with much emphasis',
      `${'**Ada** and *Grace* on `search`. '.repeat(8)}\n\n`.repeat(20),
    ],
    ['eight lists in each other', deep(8, '- ')],
    ['eight quotations in each other', `${'> '.repeat(8)}word`],
    ['deep code', `    ${' '.repeat(60)}- code`.replace('- ', '')],
  ])('takes %s', (_, text) => {
    expect(markdownFault(text)).toBeNull();
  });

  it.each([
    ['nine lists in each other', deep(9, '- '), 'deep'],
    ['nine numbered lists in each other', deep(9, '1. '), 'deep'],
    ['nine marks of a list on a line', `${'- '.repeat(9)}word`, 'deep'],
    ['nine quotations in each other', `${'>'.repeat(9)}word`, 'deep'],
    ['lists by tabs', `\t\t\t\t- word`, 'deep'],
    ['600 lines in 10,000 characters', 'sixteen letters\n'.repeat(625), 'lines'],
    ['the same with the line ends of an old machine', 'sixteen letters\r'.repeat(625), 'lines'],
    ['a paragraph of marks', '*a '.repeat(3_000), 'formatting signs'],
    [
      'the same as the numbers that continue a paragraph',
      `a\n${'2. *a **b `c [d '.repeat(400)}`,
      'formatting',
    ],
    ['1,000 dots', '.'.repeat(1_000), 'in a row'],
    ['1,000 spaces', ' '.repeat(1_000), 'in a row'],
  ])('does not take %s', (_, text, fault) => {
    expect(markdownFault(text)).toContain(fault);
  });

  it.each(['- ', '> ', '*a ', '[', ' ', '\t', '1. ', '>1. ', '.', 'a\n', '\n', '- a\n', 'www.'])(
    'is judged within 10 milliseconds of the processor: %j',
    (part) => {
      const text = part.repeat(20_000 / part.length);
      const costs = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        markdownFault(text);
        return process.cpuUsage(before).user / 1_000;
      });
      expect(costs.toSorted((one, other) => one - other)[2]).toBeLessThan(10);
    },
  );
});
