import type * as Contract from '@meetmark/contracts';
import {
  closestLocale,
  DomainError,
  FONTS,
  FORMS_OF_ADDRESS,
  LEGAL_PAGES,
  LOCALES,
  WEEK_STARTS,
} from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { Access } from '../http/access.js';
import { OR_NULL } from '../openapi/answers.js';
import { Describe } from '../openapi/describe.js';

export class Sponsor implements Contract.Sponsor {
  @ApiProperty() name!: string;
  @ApiProperty() logoUrl!: string;
  @ApiProperty() url!: string;
}

class Brand implements Contract.BrandColours {
  @ApiProperty({ description: 'Words and links' }) primary!: string;
  @ApiProperty() primaryHover!: string;
  @ApiProperty() primarySoft!: string;
  @ApiProperty({ description: 'The ground of buttons: the brand colour as it is' }) fill!: string;
  @ApiProperty() fillHover!: string;
  @ApiProperty() fillActive!: string;
  @ApiProperty() onFill!: string;
  @ApiProperty({ description: 'As `primary`, of the second colour' }) accent!: string;
  @ApiProperty() accentSoft!: string;
  @ApiProperty() canvas!: string;
  @ApiProperty() surface!: string;
  @ApiProperty() raised!: string;
  @ApiProperty() selected!: string;
  @ApiProperty() line!: string;
  @ApiProperty() lineStrong!: string;
  @ApiProperty() ink!: string;
  @ApiProperty() inkSoft!: string;
}

class Pictures implements Contract.PictureColours {
  @ApiProperty({ description: 'The ground of the hero and of the strip' }) deep!: string;
  @ApiProperty() onDeep!: string;
  @ApiProperty() onDeepSoft!: string;
  @ApiProperty() onDeepAccent!: string;
  @ApiProperty() deepLine!: string;
  @ApiProperty() deepFirst!: string;
  @ApiProperty() deepSecond!: string;
  @ApiProperty({ description: 'Marks on a picture' }) mark!: string;
  @ApiProperty() markSoft!: string;
  @ApiProperty() markAccent!: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    description: 'Of generated covers: a ground, and what is drawn on it',
  })
  covers!: string[][];
}

export class BrandPalettes implements Contract.BrandPalettes {
  @ApiProperty() light!: Brand;
  @ApiProperty() dark!: Brand;
  @ApiProperty({ description: 'Of what is a picture, or lies on one' }) both!: Pictures;
}

class Community implements Contract.Community {
  @ApiProperty() name!: string;
  @ApiProperty({ description: 'The heading of the landing page' }) headline!: string;
  @ApiProperty() tagline!: string;
  @ApiProperty() supportEmail!: string;
  @ApiProperty(OR_NULL) linkedInUrl!: string | null;
  @ApiProperty(OR_NULL) logoUrl!: string | null;
  @ApiProperty({ ...OR_NULL, description: '`#rrggbb`' }) brandColour!: string | null;
  @ApiProperty({ ...OR_NULL, description: '`#rrggbb`; null: shades of the first' })
  secondColour!: string | null;
  @ApiProperty({ enum: Object.keys(FONTS), nullable: true, description: 'Null: the product’s own' })
  font!: Contract.FontName | null;
  @ApiProperty({ ...OR_NULL, description: 'The picture behind the headline of the landing page' })
  heroUrl!: string | null;
  @ApiProperty({ description: 'Whether the landing page has buttons in place of the sign-in panel' })
  signInButton!: boolean;
  @ApiProperty({
    type: BrandPalettes,
    description:
      'The colours of both schemes that follow the brand colour, else the product’s; each pair is readable (4.5 : 1)',
  })
  brandPalettes!: BrandPalettes;
  @ApiProperty({ type: [Sponsor] }) sponsors!: Sponsor[];
  @ApiProperty({ type: 'integer' }) copyrightYear!: number;
  @ApiProperty() currency!: string;
  @ApiProperty() timeZone!: string;
  @ApiProperty() locale!: string;
  @ApiProperty({ enum: LOCALES, isArray: true, nullable: true, description: 'Its own among them; null: all' })
  languages!: Contract.ProductLocale[] | null;
  @ApiProperty({ enum: FORMS_OF_ADDRESS }) formOfAddress!: Contract.FormOfAddress;
  @ApiProperty({ enum: WEEK_STARTS }) weekStart!: Contract.WeekStart;
  @ApiProperty({ description: 'How one pays for an event that does not say it' })
  paymentNoteDefault!: string;
  @ApiProperty({ description: 'Whether members may propose events' }) memberProposals!: boolean;
  @ApiProperty({ description: 'Whether people may write to the hosts of events' }) contactHost!: boolean;
  @ApiProperty({ description: 'Whether people who come may let visitors see it' }) publicAttendees!: boolean;
  @ApiProperty({ description: 'Whether events show a map of their venue' }) hasMaps!: boolean;
  @ApiProperty({ enum: LEGAL_PAGES, isArray: true, description: 'Those that there are' })
  legalPages!: Contract.LegalPage[];
}

class LegalText implements Contract.LegalText {
  @ApiProperty({ description: 'Markdown' }) text!: string;
}

/** What everybody may know of the community. */
export const publicCommunity = ({
  senderName: _,
  terms: __,
  privacy: ___,
  settingsVersion: ____,
  mapUrl: _____,
  heroPattern: ______,
  languages,
  ...community
}: PresentCommunity): Contract.Community => ({
  ...community,
  // its own is always one of them
  languages: languages && [...new Set([closestLocale(community.locale), ...languages])],
});

@Controller('api')
export class CommunityController {
  constructor(@InjectCommunity() private readonly community: PresentCommunity) {}

  @Describe({ summary: 'The configuration of the community', answers: { 200: Community } })
  @Get('config')
  @Access('public')
  config(@Res() reply: FastifyReply): Promise<void> {
    return CachedResponse.json(publicCommunity(this.community)).send(reply);
  }

  @Describe({
    summary: "The community's terms or privacy page",
    answers: { 200: LegalText },
    refuses: ['NOT_FOUND'],
  })
  @Get('legal/:page')
  @Access('public')
  async legal(@Param('page') page: string, @Res() reply: FastifyReply): Promise<void> {
    const known = LEGAL_PAGES.find((each) => each === page);
    const text = known === undefined ? null : this.community[known];
    if (text === null) throw new DomainError('NOT_FOUND');
    return CachedResponse.json({ text }).send(reply);
  }
}
