import { DomainError, GetEvent, UUID_PATTERN, type Community } from '@meetmark/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Answer } from '../answers/answer.js';
import { PublicAnswers } from '../answers/public-answers.js';
import { Services } from '../api/services.js';
import { COMMUNITY } from '../community/community.token.js';
import { GatewayConfig } from '../gateway.config.js';
import { IndexPage } from './index-page.js';
import { eventMeta, metaHtml, siteMeta, type PageMeta } from './meta.js';

/** The addresses of the web application; any other is its page for what does not exist. */
const KNOWN = [
  /^\/$/,
  /^\/(forgot-password|reset-password|dashboard|profile|my-events|events|unsubscribe)$/,
  /^\/admin(\/(users|events|audit|system))?$/,
];
const FOUND = 200;
const MISSING = 404;

/** The web application's one page, with what each address says about itself. */
@Injectable()
export class Pages {
  private readonly index?: IndexPage;
  private readonly answers = new Map<string, { version: number | undefined; answer: Answer }>();

  constructor(
    private readonly config: GatewayConfig,
    @Inject(COMMUNITY) private readonly community: Community,
    private readonly services: Services,
    private readonly publicAnswers: PublicAnswers,
  ) {
    if (config.webRoot !== undefined) this.index = new IndexPage(config.webRoot);
  }

  of(path: string): Promise<Answer> {
    return KNOWN.some((pattern) => pattern.test(path)) ? this.kept(path, FOUND) : this.missing();
  }

  /** Of an event that is missing, or that nobody can tell us about now, the page itself still comes: it says so. */
  async ofEvent(eventId: string): Promise<Answer> {
    if (!UUID_PATTERN.test(eventId)) return this.missing();
    try {
      return await this.publicAnswers.get(`page ${eventId}`, async () => {
        const event = await this.services.read(GetEvent, { eventId }, { identity: null });
        return this.page(eventMeta(event, this.community, this.config.publicUrl), FOUND);
      });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'EVENT_NOT_FOUND') return this.missing();
      if (error instanceof DomainError) return this.of('/events');
      throw error;
    }
  }

  private missing(): Promise<Answer> {
    return this.kept('/404', MISSING);
  }

  /** One answer for each address, made anew when the build has changed. */
  private async kept(path: string, status: number): Promise<Answer> {
    const version = await this.index?.version();
    const known = this.answers.get(path);
    if (known !== undefined && known.version === version) return known.answer;
    const answer = await this.page(siteMeta(this.community, this.config.publicUrl, path), status);
    this.answers.set(path, { version, answer });
    return answer;
  }

  private async page(meta: PageMeta, status: number): Promise<Answer> {
    if (this.index === undefined) throw new DomainError('NOT_FOUND');
    const html = await this.index.with(metaHtml(meta, this.community));
    return new Answer(html, 'text/html; charset=utf-8', {}, status);
  }
}
