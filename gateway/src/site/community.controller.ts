import type * as Contract from '@meetmark/contracts';
import { DomainError, FONTS, LEGAL_PAGES, WEEK_STARTS } from '@meetmark/contracts';
import {
  closestLocale,
  type FormOfAddress,
  FORMS_OF_ADDRESS,
  LOCALES,
  type ProductLocale,
} from '@meetmark/i18n/locales';
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
  @ApiProperty({ description: 'Text and links' }) primary!: string;
  @ApiProperty() primaryHover!: string;
  @ApiProperty() primarySoft!: string;
  @ApiProperty({ description: 'Background of buttons: the brand colour as it is' }) fill!: string;
  @ApiProperty() fillHover!: string;
  @ApiProperty() fillActive!: string;
  @ApiProperty() onFill!: string;
  @ApiProperty({ description: 'Like `primary`, for the second colour' }) accent!: string;
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
  @ApiProperty({ description: 'Background of the hero and the strip' }) deep!: string;
  @ApiProperty() onDeep!: string;
  @ApiProperty() onDeepSoft!: string;
  @ApiProperty() onDeepAccent!: string;
  @ApiProperty() deepLine!: string;
  @ApiProperty() deepFirst!: string;
  @ApiProperty() deepSecond!: string;
  @ApiProperty({ description: 'Marks on an image' }) mark!: string;
  @ApiProperty() markSoft!: string;
  @ApiProperty() markAccent!: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    description: 'Colours of generated covers: a background, then what is drawn on it',
  })
  covers!: string[][];
}

export class BrandPalettes implements Contract.BrandPalettes {
  @ApiProperty() light!: Brand;
  @ApiProperty() dark!: Brand;
  @ApiProperty({ description: 'Colours of images, and of what is shown on them' }) both!: Pictures;
}

class Community implements Contract.Community {
  @ApiProperty() name!: string;
  @ApiProperty({ description: 'Heading of the landing page' }) headline!: string;
  @ApiProperty() tagline!: string;
  @ApiProperty() supportEmail!: string;
  @ApiProperty(OR_NULL) linkedInUrl!: string | null;
  @ApiProperty(OR_NULL) logoUrl!: string | null;
  @ApiProperty({ ...OR_NULL, description: '`#rrggbb`' }) brandColour!: string | null;
  @ApiProperty({ ...OR_NULL, description: '`#rrggbb`. null: shades of the first' })
  secondColour!: string | null;
  @ApiProperty({ enum: Object.keys(FONTS), nullable: true, description: 'null: the product’s' })
  font!: Contract.FontName | null;
  @ApiProperty({ ...OR_NULL, description: 'Image behind the heading of the landing page' })
  heroUrl!: string | null;
  @ApiProperty({ description: 'Whether the landing page has buttons instead of the sign-in form' })
  signInButton!: boolean;
  @ApiProperty({
    type: BrandPalettes,
    description:
      'Colours of the light and dark schemes, computed from the brand colour or the product’s. Text has a contrast of at least 4.5 : 1',
  })
  brandPalettes!: BrandPalettes;
  @ApiProperty({ type: [Sponsor] }) sponsors!: Sponsor[];
  @ApiProperty({ type: 'integer' }) copyrightYear!: number;
  @ApiProperty() currency!: string;
  @ApiProperty() timeZone!: string;
  @ApiProperty() locale!: string;
  @ApiProperty({
    enum: LOCALES,
    isArray: true,
    nullable: true,
    description: 'Languages that members can choose, including the community’s own. null: all',
  })
  languages!: ProductLocale[] | null;
  @ApiProperty({ enum: FORMS_OF_ADDRESS }) formOfAddress!: FormOfAddress;
  @ApiProperty({ enum: WEEK_STARTS }) weekStart!: Contract.WeekStart;
  @ApiProperty({ description: 'How to pay for events that don’t say how' })
  paymentNoteDefault!: string;
  @ApiProperty({ description: 'Whether members can propose events' }) memberProposals!: boolean;
  @ApiProperty({ description: 'Whether people can write to the hosts of events' }) contactHost!: boolean;
  @ApiProperty({ description: 'Whether attendees can choose to be shown to visitors' })
  publicAttendees!: boolean;
  @ApiProperty({ description: 'Whether events have a map of their venue (`/media/maps/{id}.webp`)' })
  hasMaps!: boolean;
  @ApiProperty({ enum: LEGAL_PAGES, isArray: true, description: 'Pages that the community has' })
  legalPages!: Contract.LegalPage[];
}

class LegalText implements Contract.LegalText {
  @ApiProperty({ description: 'Markdown' }) text!: string;
}

export const publicCommunity = ({
  senderName: _,
  terms: __,
  privacy: ___,
  settingsVersion: ____,
  mapUrl: _____,
  heroPattern: ______,
  adminSecondFactorRequired: _______,
  auditNamesDays: ________,
  answersDays: _________,
  checkInsDays: __________,
  unconfirmedAccountsDays: ___________,
  legalVersions: ____________,
  termsRequired: _____________,
  privacyRequired: ______________,
  languages,
  ...community
}: PresentCommunity): Contract.Community => ({
  ...community,
  languages: languages && [...new Set([closestLocale(community.locale), ...languages])],
});

@Controller('api')
export class CommunityController {
  constructor(@InjectCommunity() private readonly community: PresentCommunity) {}

  @Describe({ summary: "Get the community's public settings", answers: { 200: Community } })
  @Get('config')
  @Access('public')
  config(@Res() reply: FastifyReply): Promise<void> {
    return CachedResponse.json(publicCommunity(this.community)).send(reply);
  }

  @Describe({
    summary: 'Get the terms or the privacy policy',
    description: '`page` is `terms` or `privacy`. 404 if the community has none.',
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
