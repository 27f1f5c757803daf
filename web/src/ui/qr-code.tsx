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

const codeOf = (text: string) => encode(text, { ecc: 'M', border: QUIET });

const pathOf = ({ data }: ReturnType<typeof codeOf>) =>
  data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ''))).join('');

/** A file of the code, for print. */
export function qrSvg(text: string): Blob {
  const code = codeOf(text);
  const box = `viewBox="0 0 ${code.size} ${code.size}" shape-rendering="crispEdges"`;
  return new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024" ${box}>`,
      `<rect width="100%" height="100%" fill="#fff"/><path d="${pathOf(code)}"/></svg>\n`,
    ],
    { type: 'image/svg+xml' },
  );
}

/** At least so many pixels wide, in whole pixels a module: no edge is blurred. */
const PNG_WIDTH = 1024;

/** The same as a picture. */
export function qrPng(text: string): Promise<Blob> {
  const { data, size } = codeOf(text);
  const scale = Math.ceil(PNG_WIDTH / size);
  const canvas = Object.assign(document.createElement('canvas'), {
    width: size * scale,
    height: size * scale,
  });
  const pen = canvas.getContext('2d')!;
  for (const [y, row] of data.entries())
    for (const [x, on] of row.entries()) {
      pen.fillStyle = on ? '#000' : '#fff';
      pen.fillRect(x * scale, y * scale, scale, scale);
    }
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (file) => (file ? resolve(file) : reject(new Error('the browser makes no PNG'))),
      'image/png',
    ),
  );
}

/** A QR code as wide as its place. It is dark on white in every theme, since many scanners do not read the reverse. Import it from a part that is loaded lazily. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const code = codeOf(text);
  return (
    <svg
      className={className}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
    >
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={pathOf(code)} fill="#000" />
    </svg>
  );
}
