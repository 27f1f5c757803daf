import type { DescriptionFormat } from '@meetmark/contracts';
import { inTransaction } from '@meetmark/platform';
import { htmlOfMarkdown, RENDERER, textOfMarkdown, tokensOf } from '@meetmark/platform/text/markdown';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

// What an event's Markdown became is kept beside it: made when it is saved, and in the background where it is missing or old.

/** SQL about the event `event` and its `content`: what differs between two texts. */
export const RENDERED_SOURCE =
  'md5(json_build_array(event.description_format, event.description, content.recap)::text)';
const EVENTS =
  'events.events AS event LEFT JOIN events.event_contents AS content ON content.event_id = event.id';

interface Typed {
  description: string | null;
  format: DescriptionFormat;
  recap: string | null;
}

/** Renders what the event has now. Nothing happens once it is gone. */
export async function keepRendered(manager: EntityManager, eventId: string): Promise<void> {
  // an edit of the event waits, so that what is kept is of what is there
  const [typed] = await manager.query<Typed[]>(
    `SELECT event.description, event.description_format AS format, content.recap
     FROM ${EVENTS} WHERE event.id = $1 FOR NO KEY UPDATE OF event`,
    [eventId],
  );
  if (typed === undefined) return;
  const { description, format, recap } = typed;
  const tokens = description === null || format !== 'markdown' ? null : tokensOf(description);
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

/** The text of each of these descriptions that is kept, by the id of its event. */
export async function renderedTexts(manager: EntityManager, ids: string[]): Promise<Map<string, string>> {
  const rows = await manager.query<{ id: string; text: string }[]>(
    `SELECT event.id, kept.description_text AS text FROM ${EVENTS}
     JOIN events.rendered_texts AS kept ON kept.event_id = event.id AND kept.source = ${RENDERED_SOURCE}
     WHERE event.id = ANY ($1) AND kept.description_text IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** Milliseconds between two looks for what is missing or old. */
const LOOK_EVERY = 60_000;
/** Events of one look; the next follows at once while there are as many. */
const AT_ONCE = 100;

/** Makes in the background what is missing, of another renderer, or of a text that another version of this service has changed. */
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
          msg: 'descriptions could not be rendered, they will be with the next look',
        });
      });
    };
    this.timer = setInterval(look, LOOK_EVERY).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Until nothing is left. Each event is a transaction of its own, so that others have their turn. */
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
