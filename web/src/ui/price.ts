import { commonText } from '../strings/common';

interface PriceContext {
  locale: string;
  /** ISO 4217. */
  currency: string;
}

/** A missing price and 0 both mean free. */
export const isFree = (price: string | null) => !(Number(price) > 0);

/** 'Free', '£10' or '£12.50': the one way a price is written. */
export function formatPrice(price: string | null, { locale, currency }: PriceContext): string {
  if (isFree(price)) return commonText.free;
  const amount = Number(price);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...(Number.isInteger(amount) ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {}),
  }).format(amount);
}

/** '10,000' or '3.5': at most one decimal. */
export const formatCount = (figure: number, { locale }: Pick<PriceContext, 'locale'>) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(figure);
