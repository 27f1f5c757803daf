import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { LIMITS } from './limits.js';

/** Asks for one page. Without `limit` the whole list is meant, up to as many items as one answer may have. */
export class PageRequest {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LIMITS.pageSizeMax)
  limit?: number;

  /** Opaque; from the `Link: rel="next"` of the page before. */
  @IsOptional()
  @IsString()
  @MaxLength(LIMITS.cursor)
  cursor?: string;
}

/** A page, or the list when no limit was asked for. */
export interface Page<T> {
  items: T[];
  /** How many rows match, over all pages. */
  total: number;
  /** Null on the last page. */
  nextCursor: string | null;
}
