// Prints the descriptor that the official Go client carries of PulsarApi.proto, as base64.
// Placed below test/bench/go (its module requires the client): go run ./dump > protocol/vectors/go-client-descriptor.txt
package main

import (
	"encoding/base64"
	"fmt"

	_ "github.com/apache/pulsar-client-go/pulsar"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

func main() {
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if file.Package() == "pulsar.proto" {
			bytes, err := proto.Marshal(protodesc.ToFileDescriptorProto(file))
			if err != nil {
				panic(err)
			}
			fmt.Println(base64.StdEncoding.EncodeToString(bytes))
		}
		return true
	})
}
