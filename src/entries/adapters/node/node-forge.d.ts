import 'node-forge'

declare module 'node-forge' {
  namespace pki {
    /** Left out of the published types. */
    function getTBSCertificate(certificate: Certificate): asn1.Asn1
  }
}
