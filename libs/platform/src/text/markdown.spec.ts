import { textOfMarkdown } from './markdown.js';

describe('Markdown as text', () => {
  it.each([
    ['Two\nlines\n\nand a paragraph', 'Two\nlines\n\nand a paragraph'],
    ['**Bold**, *italic* and `code`', 'Bold, italic and code'],
    ['### Agenda\n\n- one\n- **two**\n  - three\n', 'Agenda\n\n- one\n- two\n  - three'],
    ['3. third\n4. fourth', '3. third\n4. fourth'],
    ['[slides](https://slides.example/1) here', 'slides (https://slides.example/1) here'],
    ['https://slides.example/1', 'https://slides.example/1'],
    ['[press](javascript:alert(1))', 'press'],
    ['![a cat](https://cats.example/1.png)', 'a cat'],
    ['> quoted\n\n---\n\nend', 'quoted\n\nend'],
    ['1 < 2 & 3 > 2 \\*not bold\\*', '1 < 2 & 3 > 2 *not bold*'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a <b onclick="x">b</b>', 'a <b onclick="x">b</b>'],
    ['', ''],
  ])('%j', (markdown, text) => {
    expect(textOfMarkdown(markdown)).toBe(text);
  });

  it.each(['>', '[', '*', '- ', '`', '<', '_a', '![', '\n#'])('ends soon for as many %j as fit', (part) => {
    const before = performance.now();
    expect(typeof textOfMarkdown(part.repeat(10_000 / part.length))).toBe('string');
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
