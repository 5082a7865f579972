// How many sheets are open over the table: who reads does not play.

class Sheets {
  open = $state(0);
}

export const sheets = new Sheets();
