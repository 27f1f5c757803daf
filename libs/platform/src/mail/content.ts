import {
  type Community,
  type FontName,
  fontStack,
  LEGAL_PAGES,
  type LegalPage,
} from '@meetmark/contracts/community';
import { tagFor, withoutAddress } from '@meetmark/i18n/locales';
import type { BrandPalettes } from '@meetmark/contracts/palette';
import type { Block } from './blocks.js';
import { coloured, DARK_STYLES, html, Markup, paint, type Role, TABLE } from './markup.js';
import { mailtoAddress, plain } from './plain.js';
import { frameWords } from './words.js';

export interface MailContent {
  template: string;
  subject: string;
  preview: string;
  status?: { words: string; tone: Extract<Role, 'good' | 'news' | 'bad'> };
  title: string;
  titleWas?: string | null;
  /** Null if the recipient might not be the account's owner. */
  firstName: string | null;
  coverUrl?: string | null;
  blocks: Block[];
  /** Explains in the footer why people receive this email. */
  reason: string;
}

/** Throws for missing variables, so that no email contains 'undefined'. */
export function defineTemplate<Variables extends object>(
  template: string,
  write: (variables: Variables) => Omit<MailContent, 'template'>,
): (variables: Variables) => MailContent {
  const checked = <T>(value: T, name: string): T => {
    if (value === undefined) throw new Error(`template ${template} needs the variable ${name}`);
    if (typeof value === 'string') return plain(value) as T;
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((item) => checked<unknown>(item, name)) as T;
    return new Proxy<T & object>(value, {
      get: (target, variable) => checked<unknown>(Reflect.get(target, variable), String(variable)),
    });
  };
  return (variables) => ({ template, ...write(checked(variables, 'at all')) });
}

export interface MailFrame {
  communityName: string;
  supportEmail: string;
  brandPalettes: BrandPalettes | null;
  font: FontName | null;
  logoUrl: string | null;
  locale: string;
  homeUrl: string;
  legalUrls: Partial<Record<LegalPage, string>>;
  /** Null for recipients without an account. */
  settingsUrl: string | null;
  /** Null for emails that people can't unsubscribe from. */
  unsubscribeUrl: string | null;
}

/** Emails can't load fonts, so Figtree appears only where it is installed. */
const FONT = "Figtree,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const PHONE = new Markup(`<style>
      @media (max-width:480px){.around{padding:16px 10px !important}.inside{padding:24px 20px 14px !important}.picture{padding:24px 20px 0 !important}.title{font-size:23px !important}}
    </style>`);
// Sets width and font for Outlook, which ignores max-width and web fonts.
const OUTLOOK_START = new Markup(
  `<!--[if mso]><style>*{font-family:Arial,sans-serif !important}</style><table ${TABLE.source} width="600" align="center"><tr><td><![endif]-->`,
);
const OUTLOOK_END = new Markup('<!--[if mso]></td></tr></table><![endif]-->');
/** Keeps mail programs from continuing the preview with the email's text. */
const REST_OF_PREVIEW = new Markup('&#847;&zwnj;&nbsp;'.repeat(80));

const getGreeting = (firstName: string | null, locale: string) =>
  firstName === null ? frameWords(locale).greetingOfAnybody : frameWords(locale).greeting({ firstName });

export function renderHtml(content: MailContent, frame: MailFrame): string {
  const { status, titleWas, coverUrl } = content;
  const words = frameWords(frame.locale);
  const footerLink = (label: string, url: string) =>
    html`<a
      href="${url}"
      ${paint('soft', 'display:inline-block;margin:0 16px 6px 0;text-decoration:underline;')}
      >${label}</a
    >`;
  const page = html`<!doctype html>
    <html lang="${withoutAddress(frame.locale)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${content.subject}</title>
        ${[...DARK_STYLES, PHONE]}
      </head>
      <body
        ${paint('page', `margin:0;padding:0;font-family:${frame.font ? fontStack(frame.font) : FONT};font-size:16px;line-height:1.55;`)}
      >
        <div style="display:none;max-height:0;overflow:hidden;opacity:0;">
          ${content.preview}${REST_OF_PREVIEW}
        </div>
        <table width="100%" ${TABLE} ${paint('page')}>
          <tr>
            <td class="around" align="center" style="padding:28px 12px 32px;">
              ${OUTLOOK_START}
              <div style="max-width:600px;margin:0 auto;text-align:left;">
                <div role="main">
                  ${renderHeader(frame)}
                  <table
                    width="100%"
                    ${TABLE}
                    ${paint('card', 'border-width:1px;border-style:solid;border-radius:18px;border-collapse:separate;overflow:hidden;')}
                  >
                    <tr>
                      ${BAND}
                    </tr>
                    ${coverUrl ? renderCover(coverUrl, words.pictureOf({ title: content.title })) : []}
                    <tr>
                      <td class="inside" style="padding:30px 36px 20px;">
                        ${
                          status === undefined
                            ? []
                            : html`<p style="margin:0 0 12px;">
                                <span
                                  ${paint(status.tone, 'display:inline-block;padding:3px 12px;border-radius:999px;font-size:14px;font-weight:700;')}
                                  >${status.words}</span
                                >
                              </p>`
                        }
                        ${titleWas ? html`<s ${paint('soft')}>${titleWas}</s><br />` : []}
                        <h1
                          class="title"
                          style="margin:0 0 18px;font-size:26px;line-height:1.2;font-weight:700;letter-spacing:-0.01em;"
                        >
                          ${content.title}
                        </h1>
                        <p style="margin:0 0 16px;">${getGreeting(content.firstName, frame.locale)}</p>
                        ${content.blocks.map((block) => block.html)}
                      </td>
                    </tr>
                  </table>
                </div>
                <div
                  role="contentinfo"
                  ${paint('soft', 'padding:20px 16px 0;font-size:13px;line-height:1.5;')}
                >
                  <p style="margin:0 0 12px;">${content.reason}</p>
                  <p style="margin:0;">
                    ${frame.unsubscribeUrl === null ? [] : footerLink(words.stop, frame.unsubscribeUrl)}
                    ${frame.settingsUrl === null ? [] : footerLink(words.settings, frame.settingsUrl)}
                    ${listLegalLinks(frame).map(({ label, url }) => footerLink(label, url))}
                    ${footerLink(frame.supportEmail, `mailto:${mailtoAddress(frame.supportEmail)}`)}
                  </p>
                </div>
              </div>
              ${OUTLOOK_END}
            </td>
          </tr>
        </table>
      </body>
    </html> `;
  return coloured(page, frame.brandPalettes);
}

const listLegalLinks = ({ legalUrls, locale }: MailFrame) =>
  LEGAL_PAGES.flatMap((page) => {
    const url = legalUrls[page];
    return url === undefined ? [] : [{ label: frameWords(locale).legal[page], url }];
  });

const renderHeader = ({ communityName, homeUrl, logoUrl }: MailFrame) =>
  html`<table ${TABLE} style="margin:0 0 16px 4px;">
    <tr>
      ${logoUrl === null ? renderLetter(communityName) : renderLogo(logoUrl)}
      <td style="padding:0 0 0 12px;">
        <a href="${homeUrl}" ${paint('ink', 'font-weight:700;text-decoration:none;')}>${communityName}</a>
      </td>
    </tr>
  </table>`;

const renderLetter = (name: string) =>
  html`<td
    width="34"
    height="34"
    align="center"
    aria-hidden="true"
    ${paint('logo', 'width:34px;height:34px;border-radius:10px;font-size:17px;font-weight:700;')}
  >
    ${
      plain(name)
        .replace(/^\u2068/, '')
        .at(0) ?? ''
    }
  </td>`;

/** The logo has no alt text, because the community's name appears next to it. */
const renderLogo = (url: string) =>
  html`<td style="font-size:0;line-height:0;">
    <img
      src="${url}"
      alt=""
      height="34"
      style="display:block;height:34px;width:auto;max-width:120px;border:0;"
    />
  </td>`;

// The image has no height, because gateways of the previous version may return images that aren't square.
const renderCover = (url: string, words: string) =>
  html`<tr>
    <td class="picture" style="padding:30px 36px 0;font-size:0;line-height:0;">
      <img
        src="${url}"
        width="168"
        alt="${words}"
        style="display:block;width:168px;height:auto;border:0;border-radius:16px;"
      />
    </td>
  </tr>`;

const BAND = html`<td height="8" ${paint('band', 'height:8px;padding:0;font-size:0;line-height:0;')}>
  &nbsp;
</td>`;

export function renderText(content: MailContent, frame: MailFrame): string {
  const { status, titleWas } = content;
  const words = frameWords(frame.locale);
  const head = [
    ...(status === undefined ? [] : [status.words]),
    titleWas ? `${content.title} ${words.was({ before: titleWas })}` : content.title,
  ];
  const footer = [
    '--',
    content.reason,
    ...(frame.unsubscribeUrl === null ? [] : [`${words.stop}: ${frame.unsubscribeUrl}`]),
    ...(frame.settingsUrl === null ? [] : [`${words.settings}: ${frame.settingsUrl}`]),
    ...listLegalLinks(frame).map(({ label, url }) => `${label}: ${url}`),
    `${frame.communityName} <${frame.supportEmail}>`,
  ];
  const parts = [
    head.join('\n'),
    getGreeting(content.firstName, frame.locale),
    ...content.blocks.map(({ text }) => text),
  ];
  return [...parts, footer.join('\n')].join('\n\n') + '\n';
}

/**
 * Renders an empty email to test the community's settings.
 * @throws Error if an email can't be rendered with these settings
 */
export function emptyMail(community: Community): string {
  const { name, supportEmail, brandPalettes, font, logoUrl } = community;
  const locale = tagFor(null, community);
  const frame = { communityName: name, supportEmail, locale, brandPalettes, font, logoUrl, homeUrl: '/' };
  const content = { template: 'empty', subject: name, preview: '', title: name, firstName: null };
  const around = { ...frame, legalUrls: {}, settingsUrl: null, unsubscribeUrl: null };
  const within = { ...content, blocks: [], reason: '' };
  return renderHtml(within, around) + renderText(within, around);
}
