import { encode } from 'uqr';

interface QrCodeProps {
  /** What a scanner reads. */
  text: string;
  /** What it is for, for those who do not see it. */
  label: string;
  className?: string;
}

/** Modules of white on each side, as the standard asks: cameras miss a code without them. */
const QUIET = 4;

/** A QR code as wide as its place. It is dark on white in every theme, since many scanners do not read the reverse. Import it from a part that is loaded lazily. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const dark = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={className}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark} fill="#000" />
    </svg>
  );
}
