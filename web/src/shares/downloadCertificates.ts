import type { Schema } from '~/api/client';
import { problemOf, readProblem } from '~/api/problem';
import { counted } from '~/format/words';
import { save } from '~/register/download';
import { notify } from '~/ui/notify';

type Shareholding = Schema<'Shareholding'>;

/** Returns the address of a certificate and the name of its file. Ended shares have a copy. */
export function certificateOf(row: Shareholding) {
  const current = row.status === 'active' || row.status === 'accepted';
  return {
    current,
    address: `/v1/shareholding/${row.id}/certificate${current ? '' : '/copy'}`,
    file: `${row.certificate}${current ? '' : ' copy'}.pdf`,
  };
}

/** Saves the certificates of shareholdings, one file after the other. */
export async function downloadCertificates(rows: Shareholding[]): Promise<void> {
  let saved = 0;
  try {
    for (const row of rows) {
      const { address, file } = certificateOf(row);
      const response = await fetch(address);
      if (!response.ok) throw await readProblem(response);
      save(file, await response.blob());
      saved++;
    }
    notify({ title: `${counted(saved, 'certificate')} saved` });
  } catch (error) {
    notify({
      title: `${saved} of ${counted(rows.length, 'certificate')} saved`,
      description: problemOf(error).message,
    });
  }
}
