import { DOMParser as Reader } from 'prosemirror-model';
import { markdownOf, schema } from './markdown-document';
import { cleanPasted } from './pasted';

/** What is stored of what is pasted. */
function pasted(html: string): string {
  const holder = document.createElement('div');
  holder.innerHTML = cleanPasted(html);
  return markdownOf(Reader.fromSchema(schema).parse(holder));
}

const item = (level: number, sign: string, words: string) =>
  `<p class=MsoListParagraph style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
  style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span
  style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`;

it('keeps of Word its headings, marks, links and lists', () => {
  const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15">
    <style><!-- p.MsoNormal {margin:0cm} --></style><!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--></head>
    <body lang=DE><!--StartFragment--><h1><b>Programm<o:p></o:p></b></h1>
    <p class=MsoNormal>Wir <b style='mso-bidi-font-weight:normal'>lernen</b> <i>viel</i>,&nbsp;siehe <a
    href="https://example.org/a">hier</a>.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
    ${item(1, '·', 'Kaffee')}${item(2, 'o', 'mit Milch')}${item(1, '·', 'Tee')}
    <p class=MsoNormal>Danach:</p>${item(1, '1.', 'Vortrag')}${item(1, '2.', 'Fragen')}<!--EndFragment--></body></html>`;
  expect(pasted(html)).toBe(
    '# Programm\n\nWir **lernen** *viel*, siehe [hier](https://example.org/a).\n\n- Kaffee\n  - mit Milch\n- Tee\n\nDanach:\n\n1. Vortrag\n2. Fragen',
  );
});

it('keeps of Google Docs its headings, marks and lists, and knows its wrapper from bold', () => {
  const html = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1a2b"><h2 dir="ltr" style="line-height:1.38"><span
    style="font-size:16pt;font-weight:400">Agenda</span></h2><p dir="ltr"><span style="font-size:11pt;font-weight:400;font-style:normal">A </span><span
    style="font-weight:700">bold</span><span style="font-weight:400"> and </span><span style="font-style:italic">slanted</span><span> word</span></p>
    <ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span
    style="font-weight:400">one</span></p></li><li dir="ltr"><p dir="ltr"><span>two</span></p></li></ul></b><br class="Apple-interchange-newline">`;
  expect(pasted(html)).toBe('## Agenda\n\nA **bold** and *slanted* word\n\n- one\n- two');
});

it.each([
  ['a script', 'a<script>window.pwned = 1</script>b', 'ab'],
  ['a style', '<style>*{display:none}</style><p style="position:fixed" onclick="window.pwned=1">a</p>', 'a'],
  ['a tracking pixel', '<p>a<img src="https://track.example/p.gif" width=1 height=1></p>', 'a'],
  ['a picture that runs', '<img src=x onerror="window.pwned=1"><p>a</p>', 'a'],
  ['a drawing that runs', '<svg onload=window.pwned=1><script>window.pwned=1</script></svg><p>a</p>', 'a'],
  ['a frame', '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe><p>a</p>', 'a'],
  ['a hidden text', '<p>a<span style="display:none">secret</span></p>', 'a'],
  [
    'a link that runs',
    '<p><a href="javascript:window.pwned=1">a</a> <a href=" JaVaScRiPt:x">b</a> <a href="data:text/html,x">c</a></p>',
    'a b c',
  ],
  ['a form', '<form action="https://evil.example"><p>a</p><input value=b><button>c</button></form>', 'a'],
  [
    'a way out of the parser',
    '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>"></noscript><p>a</p>',
    'a',
  ],
  [
    'HTML that was written out',
    '<p>&lt;img src=x onerror=window.pwned=1&gt;</p>',
    '\\<img src=x onerror=window.pwned=1>',
  ],
])('lets nothing through of %s', (_, html, markdown) => {
  const clean = cleanPasted(html);
  expect(clean).not.toMatch(
    /<(script|style|img|svg|iframe|input|button)|\son\w+=(?![^<]*&gt;)|style=|evil|track/i,
  );
  expect(pasted(html).replace(/^">\n\n/, '')).toBe(markdown);
  expect(window).not.toHaveProperty('pwned');
});
