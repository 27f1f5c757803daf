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
 * Writes docs/handbook into the build, each language as one file: the screen and the panels' help read it (web/src/features/help), and the
 * gateway paints it before the script has come. The Markdown of the handbook has addresses of its own and is ours, so it is rendered
 * here, and not in the browser by what renders the texts of organisers, which knows no headings with an address.
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
        server.middlewares.use(`/${fileOf(language)}`, (_request, response, next) => {
          readHandbook(folder, language).then((text) => {
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify(text));
          }, next);
        });
    },
    async generateBundle() {
      for (const language of HANDBOOK_LANGUAGES) {
        const source = JSON.stringify(await readHandbook(folder, language));
        this.emitFile({ type: 'asset', fileName: fileOf(language), source });
      }
    },
  };
}

const fileOf = (language: HandbookLanguage) => `help/${language}.json`;

/** They show another community's name and events, so they stay in the repository. */
const PICTURES = /^!\[.*\]\(.*\)\n+/gm;
/** A comment begins what only readers of the repository need. */
const OF_THE_REPOSITORY = /^<!--[\s\S]*/m;

const markdown = new Marked({
  renderer: {
    /** Addresses of the repository become those of the site. */
    link({ href, tokens }) {
      const [, page, place = ''] = /^(\w+)\.md(#.*)?$/.exec(href) ?? [];
      const address = page === undefined ? href : `/help/${page}${place}`;
      return `<a href="${address}">${this.parser.parseInline(tokens)}</a>`;
    },
  },
});

const htmlOf = (tokens: Token[]) => markdown.parser(tokens).trim();
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** A heading of another language names the English one: `## Einchecken <a id="check-in"></a>`. */
function headingOf({ text }: Tokens.Heading): { id: string; title: string } {
  const [, title, named] = /^(.*?)(?: <a id="([\w-]+)"><\/a>)?$/.exec(text)!;
  return { id: named ?? title!.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title: title! };
}

/** @param root the folder of the English text, in which the others have folders of their own */
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
    summary: htmlOf([summary!]).replaceAll(/<[^>]*>/g, ''),
    pages: await Promise.all(
      HANDBOOK_PARTS.map(async (part) => pageOf(part, summaries.get(part)!, await read(`${part}.md`))),
    ),
    end: htmlOf(end),
  };
}

function pageOf(part: HandbookPart, summary: string, [first, ...tokens]: Token[]): HandbookPage {
  // a panel shows a section of it, too
  const ofPage = (shown: Token[]) => htmlOf(shown).replaceAll('href="#', `href="/help/${part}#`);
  const starts = tokens.flatMap((token, at) => (isHeading(token) ? [at] : []));
  const sections = starts.map((start, at): HandbookSection => ({
    ...headingOf(tokens[start] as Tokens.Heading),
    html: ofPage(tokens.slice(start + 1, starts[at + 1])),
  }));
  return {
    part,
    ...headingOf(first as Tokens.Heading),
    summary,
    html: ofPage(tokens.slice(0, starts[0])),
    sections,
  };
}
