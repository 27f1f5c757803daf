/** Elements without readable text, and elements that run code, load files or ask for input. */
const DROPPED =
  'script, style, template, noscript, iframe, frame, object, embed, applet, svg, math, img, picture, video, audio, canvas, map, ' +
  'input, select, textarea, button, datalist, meta, link, base, title, [hidden]';
const KEPT = new Set(['href', 'start', 'data-level', 'data-pm-slice']);
const ITEM = /mso-list:[^;]*\blevel(\d)/i;
const ORDERED = /^[\s\u00a0]*\(?[\da-z]{1,4}[.)]/i;

/** Parses the HTML in a separate document, where no scripts run and no files load. */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll(DROPPED)) element.remove();
  for (const element of body.querySelectorAll<HTMLElement>('[style]'))
    if (isHidden(element)) element.remove();
  listsOfWord(body);
  for (const element of body.querySelectorAll<HTMLElement>('*')) convertStyles(element);
  for (const title of body.querySelectorAll('p.MsoTitle')) renamed(title, 'h2');
  for (const bold of body.querySelectorAll(':is(h1, h2, h3, h4, h5, h6) :is(b, strong)'))
    bold.replaceWith(...bold.childNodes);
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.COMMENT_NODE) comments.push(node);
    // replaces no-break spaces, which Word and browsers use for repeated spaces
    else node.nodeValue = node.nodeValue!.replaceAll('\u00a0', ' ');
  }
  for (const comment of comments) comment.parentNode!.removeChild(comment);
  for (const paragraph of body.querySelectorAll('p')) if (!paragraph.textContent.trim()) paragraph.remove();
  for (const element of body.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (!KEPT.has(name)) element.removeAttribute(name);
  return body.innerHTML;
}

const isHidden = ({ style }: HTMLElement) =>
  style.display === 'none' || style.visibility === 'hidden' || /mso-hide:\s*all/i.test(style.cssText);

function renamed(element: Element, name: string): void {
  const other = element.ownerDocument.createElement(name);
  other.append(...element.childNodes);
  element.replaceWith(other);
}

/**
 * Converts styles such as bold to elements. Removes elements such as the `<b>` in which Google Docs wraps
 * everything, because its style isn't bold.
 */
function convertStyles(element: HTMLElement): void {
  const { fontWeight, fontStyle, textDecoration, textDecorationLine } = element.style;
  const isBold = element.matches('b, strong');
  const isItalic = element.matches('i, em');
  if ((isBold && /^(normal|[1-4]00)$/.test(fontWeight)) || (isItalic && fontStyle === 'normal'))
    element.replaceWith(...element.childNodes);
  else if (element.matches('span, font, a, u')) {
    if (/^(bold(er)?|[6-9]00)$/.test(fontWeight)) wrapInside(element, 'strong');
    if (fontStyle === 'italic') wrapInside(element, 'em');
    if (`${textDecoration} ${textDecorationLine}`.includes('line-through')) wrapInside(element, 'del');
  }
}

function wrapInside(element: Element, name: string): void {
  const wrap = element.ownerDocument.createElement(name);
  wrap.append(...element.childNodes);
  element.append(wrap);
}

function listsOfWord(body: HTMLElement): void {
  let open: Element[] = [];
  let before: Element | null = null;
  for (const paragraph of body.querySelectorAll('p')) {
    const level = Number(ITEM.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0);
    if (level === 0) continue;
    if (open.length === 0 || paragraph.previousElementSibling !== before) open = [];
    const sign = [...paragraph.querySelectorAll('span')].find((span) =>
      /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
    );
    const name = ORDERED.test(sign?.textContent ?? '') ? 'ol' : 'ul';
    sign?.remove();
    open = open.slice(0, level);
    if (open.length > 0 && open.length === level && open.at(-1)!.localName !== name) open.pop();
    if (open.length < level) {
      const list = body.ownerDocument.createElement(name);
      const around = open.at(-1)?.lastElementChild;
      if (around) around.append(list);
      else paragraph.before(list);
      open.push(list);
    }
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)!.append(item);
    before = open[0]!;
    paragraph.remove();
  }
}
