import { About, IfGiven } from './validation.js';
import { Type } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { LIMITS } from './limits.js';

export class PageRequest {
  @About(
    'Items per page. Without it, and without any other parameter, you get the whole list of up to 1,000 items',
    20,
  )
  @IfGiven()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LIMITS.pageSizeMax)
  limit?: number;

  @About('Where the page starts. Take it from the `Link` header of the previous page')
  @IfGiven()
  @IsString()
  @MaxLength(LIMITS.cursor)
  cursor?: string;
}

export interface Page<T> {
  items: T[];
  total: number;
  nextCursor: string | null;
}
