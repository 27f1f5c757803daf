import escape from 'escape-html';
import type { Block, Fact, MailContent } from './content.js';
import { mailtoAddress } from './plain.js';

/** Markup; can only be made by `html`, which escapes everything that is not markup already. */
class Markup {
  constructor(readonly source: string) {}
}

function html(parts: TemplateStringsArray, ...values: (string | Markup | Markup[])[]): Markup {
  const sources = values.map((value) =>
    typeof value === 'string'
      ? escape(value)
      : [value]
          .flat()
          .map(({ source }) => source)
          .join('\n'),
  );
  return new Markup(String.raw({ raw: parts }, ...sources));
}

// The web application's colours. Mail programs drop style sheets or keep only some: the light ones are inline, the dark ones an addition.
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const STYLES = {
  page: `margin:0;padding:24px 12px;background-color:#f4f6f3;color:#14211c;${FONT}font-size:16px;line-height:1.55;`,
  card: 'max-width:560px;margin:0 auto;padding:28px 28px 20px;background-color:#ffffff;border:1px solid #dde4df;border-radius:12px;',
  name: 'margin:0 0 20px;font-size:14px;font-weight:600;letter-spacing:0.02em;color:#0b6a50;',
  paragraph: 'margin:0 0 16px;',
  facts: 'margin:0 0 20px;border-collapse:collapse;width:100%;',
  label:
    'padding:6px 16px 6px 0;vertical-align:top;white-space:nowrap;color:#4b5b54;font-weight:normal;text-align:left;',
  value: 'padding:6px 0;vertical-align:top;width:100%;font-weight:600;',
  was: 'color:#4b5b54;font-weight:normal;',
  code: 'margin:0 0 20px;padding:14px 0;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;font-weight:700;letter-spacing:0.3em;background-color:#f4f6f3;border-radius:8px;',
  buttonRow: 'margin:24px 0;',
  button:
    'display:inline-block;padding:12px 22px;background-color:#0b6a50;color:#ffffff;text-decoration:none;font-weight:600;border-radius:8px;',
  footer: 'max-width:560px;margin:16px auto 0;padding:0 28px;font-size:13px;color:#4b5b54;',
  // side by side or below each other, as there is room
  link: 'display:inline-block;margin:0 16px 6px 0;color:#4b5b54;text-decoration:underline;',
  preview: 'display:none;max-height:0;overflow:hidden;opacity:0;',
} as const;

const DARK = new Markup(`
    @media (prefers-color-scheme: dark) {
      .page { background-color: #0c1210 !important; color: #eaf2ee !important; }
      .card { background-color: #141d19 !important; border-color: #28362f !important; }
      .name { color: #57d2a6 !important; }
      .code { background-color: #0c1210 !important; }
      .muted, .muted a { color: #a6b8af !important; }
      .button { background-color: #57d2a6 !important; color: #04231a !important; }
    }`);

export function renderHtml(content: MailContent, frame: MailFrame): string {
  const unsubscribe =
    frame.unsubscribeUrl === null
      ? []
      : [html`<a href="${frame.unsubscribeUrl}" style="${STYLES.link}">Stop these mails</a>`];
  return html`<!doctype html>
    <html lang="${frame.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${content.subject}</title>
        <style>
          ${DARK}
        </style>
      </head>
      <body class="page" style="${STYLES.page}">
        <div style="${STYLES.preview}">${content.preview}</div>
        <div class="card" style="${STYLES.card}">
          <p class="name" style="${STYLES.name}">${frame.communityName}</p>
          ${content.blocks.map(markupOf)}
        </div>
        <div class="muted" style="${STYLES.footer}">
          <p style="${STYLES.paragraph}">${content.reason}</p>
          <p style="${STYLES.paragraph}">
            ${unsubscribe}
            <a href="${frame.settingsUrl}" style="${STYLES.link}">Your mail settings</a>
            <a href="${`mailto:${mailtoAddress(frame.supportEmail)}`}" style="${STYLES.link}"
              >${frame.supportEmail}</a
            >
          </p>
        </div>
      </body>
    </html> `.source;
}

function markupOf(block: Block): Markup {
  switch (block.kind) {
    case 'paragraph':
      return html`<p style="${STYLES.paragraph}">${block.text}</p>`;
    case 'facts':
      return html`<table role="presentation" style="${STYLES.facts}">
        ${block.rows.map(rowOf)}
      </table>`;
    case 'code':
      return html`<p class="code" style="${STYLES.code}">${block.code}</p>`;
    case 'button':
      return html`<p style="${STYLES.buttonRow}">
        <a class="button" href="${block.url}" style="${STYLES.button}">${block.label}</a>
      </p>`;
  }
}

const rowOf = ([label, value, was]: Fact) =>
  html`<tr>
    <th scope="row" class="muted" style="${STYLES.label}">${label}</th>
    <td style="${STYLES.value}">
      ${was === undefined ? [] : [html`<s class="muted" style="${STYLES.was}">${was}</s><br />`]}${value}
    </td>
  </tr>`;

export function renderText(content: MailContent, frame: MailFrame): string {
  const footer = [
    '--',
    content.reason,
    ...(frame.unsubscribeUrl === null ? [] : [`Stop these mails: ${frame.unsubscribeUrl}`]),
    `Your mail settings: ${frame.settingsUrl}`,
    `${frame.communityName} <${frame.supportEmail}>`,
  ];
  return [...content.blocks.map(textOf), footer.join('\n')].join('\n\n') + '\n';
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'facts':
      return block.rows
        .map(([label, value, was]) => `${label}: ${value}${was === undefined ? '' : ` (was ${was})`}`)
        .join('\n');
    case 'code':
      return `    ${block.code}`;
    case 'button':
      return `${block.label}: ${block.url}`;
  }
}

/** What stands around every mail, whatever it says. */
export interface MailFrame {
  communityName: string;
  supportEmail: string;
  /** Language of the document, BCP 47. */
  locale: string;
  settingsUrl: string;
  /** Null in mails about the account and in notices about a booking, which are always sent. */
  unsubscribeUrl: string | null;
}
