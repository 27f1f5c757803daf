import type { DescriptionFormat } from '@meetmark/contracts';
import { inTransaction } from '@meetmark/platform';
import { htmlOfMarkdown, RENDERER, textOfMarkdown, parseTokens } from '@meetmark/platform/text/markdown';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

// Markdown is rendered to HTML and text on save. Missing or outdated results are rendered in the background.

/** SQL expression over `event` and `content` that identifies the source text. */
export const RENDERED_SOURCE =
  'md5(json_build_array(event.description_format, event.description, content.recap)::text)';
const EVENTS =
  'events.events AS event LEFT JOIN events.event_contents AS content ON content.event_id = event.id';

interface Typed {
  description: string | null;
  format: DescriptionFormat;
  recap: string | null;
}

export async function keepRendered(manager: EntityManager, eventId: string): Promise<void> {
  // locks the event against edits, so that the result matches the stored text
  const [typed] = await manager.query<Typed[]>(
    `SELECT event.description, event.description_format AS format, content.recap
     FROM ${EVENTS} WHERE event.id = $1 FOR NO KEY UPDATE OF event`,
    [eventId],
  );
  if (typed === undefined) return;
  const { description, format, recap } = typed;
  const tokens = description === null || format !== 'markdown' ? null : parseTokens(description);
  await manager.query(
    `INSERT INTO events.rendered_texts (event_id, source, renderer, description_html, description_text, recap_html)
     SELECT event.id, ${RENDERED_SOURCE}, $2, $3, $4, $5 FROM ${EVENTS} WHERE event.id = $1
     ON CONFLICT (event_id) DO UPDATE SET source = excluded.source, renderer = excluded.renderer, made_at = now(),
       description_html = excluded.description_html, description_text = excluded.description_text, recap_html = excluded.recap_html`,
    [
      eventId,
      RENDERER,
      tokens && htmlOfMarkdown(description!, tokens),
      tokens && textOfMarkdown(description!, tokens),
      recap === null ? null : htmlOfMarkdown(recap),
    ],
  );
}

export async function renderedTexts(manager: EntityManager, ids: string[]): Promise<Map<string, string>> {
  const rows = await manager.query<{ id: string; text: string }[]>(
    `SELECT event.id, kept.description_text AS text FROM ${EVENTS}
     JOIN events.rendered_texts AS kept ON kept.event_id = event.id AND kept.source = ${RENDERED_SOURCE}
     WHERE event.id = ANY ($1) AND kept.description_text IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** Milliseconds. */
const LOOK_EVERY = 60_000;
const AT_ONCE = 100;

/** Renders missing and outdated texts, such as those saved by another version of this service. */
@Injectable()
export class RenderingUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RenderingUpkeep.name);
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    const look = () => {
      this.running = this.run().catch((error: unknown) => {
        this.logger.warn({
          err: error,
          msg: 'Could not render descriptions; retrying at the next check',
        });
      });
    };
    this.timer = setInterval(look, LOOK_EVERY).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Uses a transaction per event, so that other changes aren't blocked. */
  async run(): Promise<void> {
    for (;;) {
      const rows = await this.dataSource.query<{ id: string }[]>(
        `SELECT event.id FROM ${EVENTS} LEFT JOIN events.rendered_texts AS kept ON kept.event_id = event.id
         WHERE (event.description_format = 'markdown' OR content.recap IS NOT NULL)
           AND (kept.renderer IS DISTINCT FROM $1
             OR (kept.made_at <= event.updated_at AND kept.source <> ${RENDERED_SOURCE}))
         ORDER BY event.start_date DESC LIMIT ${AT_ONCE}`,
        [RENDERER],
      );
      for (const { id } of rows) await inTransaction(this.dataSource, (manager) => keepRendered(manager, id));
      if (rows.length < AT_ONCE) return;
    }
  }
}
