// Writes a brotli and a gzip variant beside each text file of a folder: node precompress.mjs FOLDER
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const smallest = 512; // bytes; smaller files gain nothing
const folder = process.argv[2];
for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg|json|txt|webmanifest)$/.test(entry.name)) continue;
  const file = path.join(entry.parentPath, entry.name);
  const bytes = fs.readFileSync(file);
  if (bytes.length < smallest) continue;
  fs.writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  fs.writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}
