import type { MarkedToken, Token } from 'marked';
import { textOfMarkdown, parseTokens } from '../text/markdown.js';
import { html, lightColour, Markup, paint, type Role, TABLE } from './markup.js';
import { plain } from './plain.js';
import { frameWords } from './words.js';

/** Part of an email. Every block has a plain text, so no template can forget it. */
export interface Block {
  html: Markup;
  text: string;
}

export interface Link {
  label: string;
  url: string;
}

const SPACED = 'margin:0 0 16px;';
const formatLink = ({ label, url }: Link) => `${label}: ${url}`;
const anchor = ({ label, url }: Link, role: Role = 'link', style = '') =>
  html`<a href="${url}" ${paint(role, `text-decoration:underline;${style}`)}>${label}</a>`;

/** Joins parts without line breaks, which would appear as spaces. */
const inline = (parts: Markup[]) => new Markup(parts.map(({ source }) => source).join(''));

export const paragraph = (...parts: (string | Link)[]): Block => ({
  html: html`<p style="${SPACED}">
    ${inline(parts.map((part) => (typeof part === 'string' ? html`${part}` : anchor(part))))}
  </p>`,
  text: [
    parts.map((part) => (typeof part === 'string' ? part : part.label)).join(''),
    ...parts.filter((part) => typeof part !== 'string').map(formatLink),
  ].join('\n'),
});

export const quote = (label: string, words: string): Block => ({
  html: html`<table width="100%" ${TABLE} style="margin:0 0 20px;">
    <tr>
      <td ${paint('well', 'padding:14px 18px;border-radius:12px;')}>
        <span ${paint('soft', 'font-size:13px;font-weight:600;')}>${label}</span><br />${words}
      </td>
    </tr>
  </table>`,
  text: `${label}: ${words}`,
});

export function typedText(words: string): Block {
  const lines = words.split(/\r\n|[\r\n\u2028\u2029]/).map(plain);
  return {
    html: html`<table width="100%" ${TABLE} style="margin:0 0 20px;">
      <tr>
        <td dir="auto" ${paint('well', 'padding:14px 18px;border-radius:12px;')}>
          ${inline(lines.flatMap((line, place) => (place === 0 ? [html`${line}`] : [html`<br />${line}`])))}
        </td>
      </tr>
    </table>`,
    text: lines.map((line) => `> ${line}`.trimEnd()).join('\n'),
  };
}

const renderHeading = (words: string | Markup) =>
  html`<h2 style="margin:8px 0 10px;font-size:17px;line-height:1.35;">${words}</h2>`;

export const subheading = (words: string): Block => ({ html: renderHeading(words), text: words });

/** Shows the digits without spaces, so that a double click selects all of them. */
export const code = (digits: string): Block => ({
  html: html`<table width="100%" ${TABLE} style="margin:0 0 20px;">
    <tr>
      <td
        align="center"
        ${paint('well', "padding:20px 0 20px 0.3em;border-radius:12px;font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace;font-size:38px;line-height:1.2;font-weight:700;letter-spacing:0.3em;user-select:all;-webkit-user-select:all;")}
      >
        ${digits}
      </td>
    </tr>
  </table>`,
  text: `    ${digits}`,
});

export interface DoorCode {
  words: string;
  cid: string;
}

/**
 * Background of the QR code. White in both colour schemes, because many scanners can't read inverted codes.
 */
const PAPER = 'background-color:#ffffff;';

export function doorCode({ words, cid }: DoorCode, locale: string): Block {
  const grouped = inGroups(words);
  const { title, hint, picture } = frameWords(locale).doorCode;
  return {
    html: html`<table width="100%" ${TABLE} style="margin:8px 0 20px;">
      <tr>
        <td align="center" ${paint('well', 'padding:20px 16px;border-radius:12px;')}>
          <b>${title}</b><br /><span ${paint('soft', 'font-size:15px;')}>${hint}</span>
          <table ${TABLE} align="center" style="margin:14px auto;">
            <tr>
              <td bgcolor="#ffffff" style="${PAPER}border-radius:12px;padding:4px;">
                <img
                  src="${`cid:${cid}`}"
                  width="180"
                  height="180"
                  alt="${picture}"
                  style="${PAPER}display:block;border:0;border-radius:8px;"
                />
              </td>
            </tr>
          </table>
          <span
            ${paint('soft', "font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace;font-size:15px;")}
            >${grouped}</span
          >
        </td>
      </tr>
    </table>`,
    text: `${title}: ${grouped}`,
  };
}

/** Inserts spaces, so that the code is easier to read aloud. Check-in ignores spaces. */
const inGroups = (code: string) => code.replaceAll(/(.{4})(?=.)/g, '$1 ');

export const buttons = (...links: Link[]): Block => ({
  html: html`<div style="margin:8px 0 12px;">
    ${links.map((link, place) => renderButton(link, place === 0 ? 'button' : 'outlined'))}
  </div>`,
  text: links.map(formatLink).join('\n'),
});

/**
 * Pixels for one letter, and for the left and right padding together. Buttons in Outlook need a width,
 * because Outlook ignores the padding of links.
 */
const LETTER = 9;
const SIDES = 56;

const renderButton = ({ label, url }: Link, role: 'button' | 'outlined') =>
  html`<!--[if mso
      ]><v:roundrect
        xmlns:v="urn:schemas-microsoft-com:vml"
        xmlns:w="urn:schemas-microsoft-com:office:word"
        href="${url}"
        style="height:46px;width:${String(SIDES + label.length * LETTER)}px;v-text-anchor:middle;"
        arcsize="50%"
        fillcolor="${lightColour(role, 'background-color')}"
        strokecolor="${lightColour(role, 'border-color')}"
        ><w:anchorlock />
        <center
          style="color:${lightColour(role, 'color')};font-family:Arial,sans-serif;font-size:16px;font-weight:bold;"
        >
          ${label}
        </center></v:roundrect
      ><!
    [endif]--><!--[if !mso
    ]><!--><a
      href="${url}"
      ${paint(role, 'display:inline-block;margin:0 8px 8px 0;padding:11px 24px;border-width:1px;border-style:solid;border-radius:999px;font-weight:600;line-height:22px;text-decoration:none;')}
      >${label}</a
    ><!--<![endif]-->`;

export const facts = (...rows: [label: string, value: string | null][]): Block => {
  const known = rows.filter((row): row is [string, string] => row[1] !== null);
  return {
    html: html`<table ${TABLE} style="margin:0 0 20px;">
      ${known.map(
        ([label, value]) =>
          html`<tr>
            <td valign="top" ${paint('soft', 'padding:4px 20px 4px 0;white-space:nowrap;')}>${label}</td>
            <td valign="top" style="padding:4px 0;font-weight:600;">${value}</td>
          </tr>`,
      )}
    </table>`,
    text: known.map(([label, value]) => `${label}: ${value}`).join('\n'),
  };
};

export interface EventRows {
  when: { text: string; days: string; hours: string | null; month: string; day: string };
  place: {
    text: string;
    name: string;
    address: string | null;
    note: string | null;
    isOnline: boolean;
  } | null;
  directionsUrl: string | null;
  join: { url: string; note: string | null } | null;
  accessibility?: string | null;
  price: { amount: string; symbol: string; howToPay: string | null } | null;
  was?: Partial<Record<'time' | 'location' | 'accessibility' | 'price', string | null>>;
  locale: string;
}

export function eventRows({
  when,
  place,
  directionsUrl,
  join,
  price,
  was = {},
  locale,
  ...more
}: EventRows): Block {
  const { accessibility = null } = more;
  const words = frameWords(locale);
  const labels = words.event;
  const directions = directionsUrl === null ? [] : [{ label: labels.directions, url: directionsUrl }];
  const joining = join === null ? [] : [{ label: labels.join, url: join.url }];
  const notes = [place?.note ?? null, ...(join === null ? [] : [join.note])].filter((note) => note !== null);
  const before = (value?: string | null) => (value ? ` ${words.was({ before: value })}` : '');
  return {
    html: html`<table width="100%" ${TABLE} style="margin:4px 0 12px;">
      ${renderRow(leaf(when), when.days, [when.hours], [], was.time)}
      ${
        place === null && joining.length === 0
          ? []
          : renderRow(
              tile(place?.isOnline === false ? PIN : SCREEN),
              place?.name ?? labels.online,
              [place?.address ?? null, ...notes],
              [...directions, ...joining],
              was.location,
            )
      }
      ${
        accessibility === null
          ? []
          : renderRow(tile(RING), labels.accessibility, [accessibility], [], was.accessibility)
      }
      ${
        price === null
          ? []
          : renderRow(tile(html`${price.symbol}`), price.amount, [price.howToPay], [], was.price)
      }
    </table>`,
    text: [
      `${labels.when}: ${when.text}${before(was.time)}`,
      ...(place === null ? [] : [`${labels.where}: ${place.text}${before(was.location)}`]),
      ...notes,
      ...[...directions, ...joining].map(formatLink),
      ...(accessibility === null
        ? []
        : [`${labels.accessibility}: ${accessibility}${before(was.accessibility)}`]),
      ...(price === null ? [] : [`${labels.price}: ${price.amount}${before(was.price)}`]),
      ...(price?.howToPay ? [`${labels.howToPay}: ${price.howToPay}`] : []),
    ].join('\n'),
  };
}

const renderRow = (
  picture: Markup,
  head: string,
  more: (string | null)[],
  links: Link[],
  was?: string | null,
) => {
  const lines = more.filter((line) => line !== null);
  const isLow = lines.length === 0 && links.length === 0 && !was;
  return html`<tr>
    <td width="64" valign="top" style="width:64px;padding:0 0 16px;">${picture}</td>
    <td valign="${isLow ? 'middle' : 'top'}" style="padding:2px 0 16px;">
      ${was ? html`<s ${paint('soft')}>${was}</s><br />` : []}<b>${head}</b>
      ${lines.map((line) => html`<br /><span ${paint('soft', 'font-size:15px;')}>${line}</span>`)}
      ${links.map((link) => html`<br />${anchor(link, 'link', 'font-weight:600;')}`)}
    </td>
  </tr>`;
};

const leaf = ({ month, day }: EventRows['when']) =>
  html`<table width="48" ${TABLE} aria-hidden="true">
    <tr>
      <td
        align="center"
        ${paint('logo', 'border-radius:10px 10px 0 0;font-size:11px;line-height:16px;font-weight:700;letter-spacing:0.06em;text-transform:uppercase;')}
      >
        ${month}
      </td>
    </tr>
    <tr>
      <td
        align="center"
        ${paint('leaf', 'border-width:0 1px 1px;border-style:solid;border-radius:0 0 10px 10px;font-size:20px;line-height:31px;font-weight:700;')}
      >
        ${day}
      </td>
    </tr>
  </table>`;

const tile = (sign: Markup) =>
  html`<table width="48" ${TABLE} aria-hidden="true">
    <tr>
      <td
        align="center"
        height="48"
        ${paint('tile', 'height:48px;border-radius:10px;font-size:20px;font-weight:700;')}
      >
        ${sign}
      </td>
    </tr>
  </table>`;

// Drawn with CSS, because mail programs block remote images and don't support SVG.
const sign = (shape: string) =>
  html`<span ${paint('pin', `display:inline-block;border-style:solid;${shape}`)}></span>`;
const PIN = sign(
  'width:7px;height:7px;border-width:5px;border-radius:50% 50% 50% 0;transform:rotate(-45deg);',
);
const RING = sign('width:10px;height:10px;border-width:4px;border-radius:50%;');
const SCREEN = sign('width:20px;height:12px;border-width:3px 3px 5px;border-radius:4px;');

export interface ListedEvent {
  title: string;
  when: Pick<EventRows['when'], 'text' | 'hours'>;
  place: string | null;
  url: string;
}

/** Allows a line break before the hours, but not within them. */
const renderDates = ({ text, hours }: ListedEvent['when']) =>
  hours !== null && text.endsWith(hours)
    ? html`${text.slice(0, -hours.length)}<span style="display:inline-block;">${hours}</span>`
    : html`${text}`;

export const eventList = (events: ListedEvent[]): Block => ({
  html: html`<table width="100%" ${TABLE} style="margin:0 0 20px;">
    ${events.map(
      ({ title, when, place, url }) =>
        html`<tr>
          <td ${paint('rule', 'padding:10px 0;border-width:1px 0 0;border-style:solid;')}>
            ${anchor({ label: title, url }, 'link', 'font-weight:600;')}<br /><span
              ${paint('soft', 'font-size:15px;')}
              >${renderDates(when)}${place ? html`<br />${place}` : []}</span
            >
          </td>
        </tr>`,
    )}
  </table>`,
  text: events
    .map(
      ({ title, when, place, url }) => `${title}\n${[when.text, place].filter(Boolean).join(' · ')}\n${url}`,
    )
    .join('\n\n'),
});

const SAFE_ADDRESS = /^(https?:\/\/|mailto:)/i;

/** Renders Markdown as on the site. Images become their alt text, and HTML is shown as text. */
export function markdown(words: string): Block {
  const tokens = parseTokens(words);
  const shown =
    tokens === null ? html`<p style="${`${SPACED}white-space:pre-wrap;`}">${words}</p>` : flows(tokens);
  return { html: html`<div dir="auto">${shown}</div>`, text: textOfMarkdown(words, tokens) };
}

const flows = (tokens: Token[] = []): Markup[] => tokens.flatMap((token) => flow(token as MarkedToken));

function flow(token: MarkedToken): Markup[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'hr':
      return [html`<hr ${paint('rule', 'margin:0 0 16px;border-width:1px 0 0;border-style:solid;')} />`];
    case 'heading':
      return [renderHeading(runs(token.tokens))];
    case 'blockquote':
      return [
        html`<blockquote
          ${paint('quote', 'margin:0 0 16px;padding:0 0 0 14px;border-width:0 0 0 3px;border-style:solid;')}
        >
          ${flows(token.tokens)}
        </blockquote>`,
      ];
    case 'list': {
      const items = token.items.map(({ tokens }) => html`<li style="margin:0 0 6px;">${flows(tokens)}</li>`);
      const style = new Markup('style="margin:0 0 16px;padding:0 0 0 24px;"');
      return token.ordered
        ? [
            html`<ol start="${String(token.start || 1)}" ${style}>
              ${items}
            </ol>`,
          ]
        : [
            html`<ul ${style}>
              ${items}
            </ul>`,
          ];
    }
    case 'text':
      return [html`<div>${runs(token.tokens ?? [token])}</div>`];
    default:
      return [
        html`<p style="${SPACED}">${runs('tokens' in token ? (token.tokens ?? [token]) : [token])}</p>`,
      ];
  }
}

const runs = (tokens: Token[]): Markup => inline(tokens.map((token) => run(token as MarkedToken)));

function run(token: MarkedToken): Markup {
  switch (token.type) {
    case 'br':
      return html`<br />`;
    case 'strong':
      return html`<b>${runs(token.tokens)}</b>`;
    case 'em':
      return html`<em>${runs(token.tokens)}</em>`;
    case 'del':
      return html`<s>${runs(token.tokens)}</s>`;
    case 'codespan':
    case 'code':
      return html`<code>${token.text}</code>`;
    case 'link': {
      const label = runs(token.tokens);
      if (!SAFE_ADDRESS.test(token.href)) return label;
      return html`<a href="${token.href}" ${paint('link', 'text-decoration:underline;')}>${label}</a>`;
    }
    case 'html':
      return html`${token.raw}`;
    default:
      return html`${'text' in token ? token.text : token.raw}`;
  }
}
