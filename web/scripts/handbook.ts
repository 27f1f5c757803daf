import { Marked, type Tokens } from 'marked';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { FONTS, paletteStyles } from './page-head.ts';

/** Name and title of each page, in the order of the navigation. */
const PAGES = { index: 'Help', members: 'Members', organisers: 'Organisers', admins: 'Admins' };

const sourceOf = (page: string) => (page === 'index' ? 'README.md' : `${page}.md`);
const addressOf = (page: string) => `/help/${page}.html`;

/**
 * Writes docs/handbook into the build as pages of their own, which need no script: the gateway serves them at /help, in the colours and
 * with the name of the community (gateway/src/site/index-page.ts).
 */
export function handbook(): Plugin {
  let root = '';
  return {
    name: 'handbook',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    async generateBundle(_options, bundle) {
      const folder = join(root, '../docs/handbook');
      const font = Object.keys(bundle).find((file) => FONTS.test(`/${file}`) && file.includes('figtree'));
      const face = `@font-face{font-family:'Figtree Variable';src:url('/${font}');font-weight:300 900;font-display:swap}`;
      const styles = `${await paletteStyles()}${face}\n${await readFile(join(root, 'scripts/handbook.css'), 'utf8')}`;
      for (const page of Object.keys(PAGES)) {
        const text = await readFile(join(folder, sourceOf(page)), 'utf8');
        this.emitFile({ type: 'asset', fileName: `help/${page}.html`, source: pageOf(page, text, styles) });
      }
    },
  };
}

/** They show another community's name and events, so they stay in the repository. */
const PICTURES = /^!\[.*\]\(pictures\/.*\)\n+/gm;

const markdown = new Marked({
  /** Addresses of the repository become those of the site. */
  walkTokens(token) {
    if (token.type !== 'link') return;
    const link = token as Tokens.Link;
    const [, page, place = ''] = /^(\w+)\.md(#.*)?$/.exec(link.href) ?? [];
    if (page !== undefined) link.href = `${addressOf(page)}${place}`;
  },
  renderer: {
    heading({ tokens, text, depth }) {
      const place = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      return `<h${depth} id="${place}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

function pageOf(page: string, text: string, styles: string): string {
  const links = Object.entries(PAGES).map(
    ([name, title]) =>
      `<a href="${addressOf(name)}"${name === page ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  const [, title] = /^# (.*)$/m.exec(text) ?? [];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<script src="/scheme.js"></script>
<style>${styles}</style>
</head>
<body>
<header><nav aria-label="Help"><a class="community" href="/"><!--community--></a>${links.join('')}</nav></header>
<main>
${markdown.parse(text.replaceAll(PICTURES, ''), { async: false })}</main>
</body>
</html>
`;
}
