import { Marked, type Token, type Tokens } from 'marked';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Handbook,
  HANDBOOK_LANGUAGES,
  HANDBOOK_PARTS,
  type HandbookLanguage,
  type HandbookPage,
  type HandbookPart,
  type HandbookSection,
} from '@meetmark/contracts/handbook';
import type { Plugin } from 'vite';

/**
 * Renders docs/handbook. The renderer for organisers' texts isn't used, because it makes no heading anchors.
 */
export function handbook(): Plugin {
  let folder = '';
  return {
    name: 'handbook',
    configResolved(config) {
      folder = join(config.root, '../docs/handbook');
    },
    configureServer(server) {
      for (const language of HANDBOOK_LANGUAGES)
        server.middlewares.use(`/${toFileName(language)}`, (_request, response, next) => {
          readHandbook(folder, language).then((text) => {
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify(text));
          }, next);
        });
    },
    async generateBundle() {
      for (const language of HANDBOOK_LANGUAGES) {
        const source = JSON.stringify(await readHandbook(folder, language));
        this.emitFile({ type: 'asset', fileName: toFileName(language), source });
      }
    },
  };
}

const toFileName = (language: HandbookLanguage) => `help/${language}.json`;

/** Matches images. They are removed, because they show another community's name and events. */
const PICTURES = /^!\[.*\]\(.*\)\n+/gm;
const OF_THE_REPOSITORY = /^<!--[\s\S]*/m;

const markdown = new Marked({
  renderer: {
    link({ href, tokens }) {
      const [, page, place = ''] = /^(\w+)\.md(#.*)?$/.exec(href) ?? [];
      const address = page === undefined ? href : `/help/${page}${place}`;
      return `<a href="${address}">${this.parser.parseInline(tokens)}</a>`;
    },
  },
});

const renderHtml = (tokens: Token[]) => markdown.parser(tokens).trim();
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** Translated headings carry the English anchor: `## Einchecken <a id="check-in"></a>`. */
function parseHeading({ text }: Tokens.Heading): { id: string; title: string } {
  const [, title, named] = /^(.*?)(?: <a id="([\w-]+)"><\/a>)?$/.exec(text)!;
  return { id: named ?? title!.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title: title! };
}

export async function readHandbook(root: string, language: HandbookLanguage): Promise<Handbook> {
  const folder = language === HANDBOOK_LANGUAGES[0] ? root : join(root, language);
  const read = async (file: string) => {
    const text = await readFile(join(folder, file), 'utf8');
    return markdown.lexer(text.replace(OF_THE_REPOSITORY, '').replaceAll(PICTURES, ''));
  };
  const [heading, ...about] = (await read('README.md')).filter(({ type }) => type !== 'space');
  const [summary, list, ...end] = about;
  const lines = (list as Tokens.List).items.map(({ text }) => /^\[.*\]\((\w+)\.md\): (.*)$/s.exec(text)!);
  const summaries = new Map(
    lines.map(([, part, words]) => [part!, words!.charAt(0).toUpperCase() + words!.slice(1)]),
  );
  return {
    language,
    title: (heading as Tokens.Heading).text,
    summary: renderHtml([summary!]).replaceAll(/<[^>]*>/g, ''),
    pages: await Promise.all(
      HANDBOOK_PARTS.map(async (part) => buildPage(part, summaries.get(part)!, await read(`${part}.md`))),
    ),
    end: renderHtml(end),
  };
}

function buildPage(part: HandbookPart, summary: string, [first, ...tokens]: Token[]): HandbookPage {
  const ofPage = (shown: Token[]) => renderHtml(shown).replaceAll('href="#', `href="/help/${part}#`);
  const starts = tokens.flatMap((token, at) => (isHeading(token) ? [at] : []));
  const sections = starts.map((start, at): HandbookSection => ({
    ...parseHeading(tokens[start] as Tokens.Heading),
    html: ofPage(tokens.slice(start + 1, starts[at + 1])),
  }));
  return {
    part,
    ...parseHeading(first as Tokens.Heading),
    summary,
    html: ofPage(tokens.slice(0, starts[0])),
    sections,
  };
}
