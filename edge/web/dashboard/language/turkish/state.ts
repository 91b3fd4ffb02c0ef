/** Requests that failed within the page. What the service answers is shown unchanged. */
export const STATE = {
  "Another order is on its way. Wait for its answer.": "Başka bir emir gönderiliyor. Yanıtını bekleyin.",
  "The service answered {status}.": "Servis {status} yanıtını verdi.",
  "The service cannot be reached.": "Servise ulaşılamıyor.",
  "The service did not answer in time.": "Servis zamanında yanıt vermedi.",
  "The service did not give all of the events.": "Servis olayların tamamını vermedi.",
  "The service did not state the version.": "Servis sürümü bildirmedi.",
  "The service gave an empty answer.": "Servis boş bir yanıt verdi.",
  "The service gave no more events.": "Servis başka olay vermedi.",
  "The session cannot be renewed now.": "Oturum şu anda yenilenemiyor.",
  "The session has ended.": "Oturum sona erdi.",
  "Try again in {wait} s.": "{wait} sn sonra yeniden deneyin.",
} as const;
